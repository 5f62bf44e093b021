import { checkFile, describeArgument } from "./check-file.js";
import { findFaults } from "./find-faults.js";
import { findWarnings } from "./find-warnings.js";
import type { ParsedManifest } from "./manifest.js";
import { ManifestError } from "./manifest-error.js";
import { readToml } from "./read-toml.js";
import { manifestSchema } from "./schema.js";

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
  const tables = readToml(toml, file);
  const parsed = manifestSchema.safeParse(tables);
  if (!parsed.success) {
    throw new ManifestError(
      "invalid-value",
      parsed.error.issues.flatMap((issue) => findFaults(tables, issue.path.map(String), file)),
    );
  }
  return deepFreeze({ manifest: parsed.data, warnings: findWarnings(tables, parsed.data, file) });
}

function deepFreeze<T extends object>(data: T): T {
  for (const value of Object.values(data)) {
    if (typeof value === "object" && value !== null) deepFreeze(value);
  }
  return Object.freeze(data);
}
