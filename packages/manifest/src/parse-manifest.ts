import { checkFile, describeArgument } from "./check-options.js";
import type { ParsedManifest } from "./manifest.js";
import { mergeLayers } from "./merge-layers.js";
import { readTomlLayer } from "./read-toml-layer.js";

/** Options of {@link parseManifest}. */
export interface ParseManifestOptions {
  /** The name of the file that the text is from, for messages; it is not opened. Without it they say `<toml>`. */
  readonly file?: string;
}

/**
 * Reads the text of a `pod.toml`. What it leaves out has its default: the limits are always complete. Only
 * `worker.tool_output` has a meaning; other sections are left alone.
 *
 * @param toml The text of the file, TOML 1.1; a leading BOM is fine.
 * @throws ManifestError that lists every fault at once; TypeError for a wrong argument.
 */
export function parseManifest(toml: string, options: ParseManifestOptions = {}): ParsedManifest {
  if (typeof toml !== "string") {
    throw new TypeError(
      `toml: expected the text of a manifest, received ${describeArgument(toml)}. Write: parseManifest("[worker.tool_output]")`,
    );
  }
  const file = checkFile(options);
  const layer = readTomlLayer(toml, { layer: "project", file, shownFile: file ?? "<toml>" });
  if (layer.error !== undefined) throw layer.error;
  return mergeLayers([layer]);
}
