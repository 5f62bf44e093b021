import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { checkFile } from "./check-file.js";
import { createFault } from "./create-finding.js";
import type { ParsedManifest } from "./manifest.js";
import { ManifestError, type ManifestErrorCode } from "./manifest-error.js";
import { parseManifest } from "./parse-manifest.js";

/** Options of {@link loadManifest}. */
export interface LoadManifestOptions {
  /** The path of the manifest, absolute or from the working directory. It must exist. */
  readonly file: string;
}

/**
 * Reads one manifest file, in UTF-8 with or without a BOM.
 *
 * @throws ManifestError where the file is missing, cannot be read, is not UTF-8, or has faults, all of which it lists;
 * TypeError for a wrong argument. Both as a rejection.
 */
export async function loadManifest(options: LoadManifestOptions): Promise<ParsedManifest> {
  const file = checkFile(options);
  if (file === undefined) throw new TypeError('file: expected a path, received undefined. Write: { file: "pod.toml" }');
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw readError(file, cause);
  });
  if (!isUtf8(bytes)) {
    throw fileError("not-utf8", file, "text in UTF-8", "other bytes", "the file again, with the encoding UTF-8");
  }
  return parseManifest(bytes.toString("utf8"), { file });
}

function readError(file: string, cause: unknown): ManifestError {
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  return reason === "ENOENT"
    ? fileError("missing-file", file, "a manifest", "no such file", "the path of a file that exists", cause)
    : fileError(
        "unreadable-file",
        file,
        "a file that can be read",
        reason,
        "the path of a file, and allow reading it",
        cause,
      );
}

function fileError(
  code: ManifestErrorCode,
  file: string,
  expected: string,
  received: string,
  remedy: string,
  cause?: unknown,
): ManifestError {
  const fault = createFault({ layer: "project", file, shownFile: file }, code, { expected, received, remedy });
  return new ManifestError(code, [fault], cause === undefined ? undefined : { cause });
}
