import { type Finding, formatFinding } from "./format-finding.js";
import type { LayerSource } from "./layer.js";
import type { ManifestWarning, ManifestWarningCode } from "./manifest.js";
import type { ManifestErrorCode, ManifestFault } from "./manifest-error.js";

type Details = Omit<Finding, "severity" | "shownFile">;

/** A fault of a layer, with the line that tells it. */
export function createFault(source: LayerSource, code: ManifestErrorCode, details: Details): ManifestFault {
  const message = formatFinding({ severity: "error", shownFile: source.shownFile, ...details });
  return { code, message, ...placeOf(source, details) };
}

/** A warning of a layer, with the line that tells it. */
export function createWarning(
  source: LayerSource,
  code: ManifestWarningCode,
  details: Details & { readonly path: string },
  nearest?: string,
): ManifestWarning {
  const message = formatFinding({ severity: "warning", shownFile: source.shownFile, ...details });
  const warning = { code, path: details.path, message, ...placeOf(source, details) };
  return nearest === undefined ? warning : { ...warning, nearest };
}

function placeOf({ file }: LayerSource, { path, position }: Details) {
  return { ...(path === undefined ? {} : { path }), ...(file === undefined ? {} : { file }), ...position };
}
