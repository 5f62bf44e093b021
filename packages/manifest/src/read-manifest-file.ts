import { isUtf8 } from "node:buffer";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { createFault } from "./create-finding.js";
import type { LayerSource } from "./layer.js";
import { ManifestError, type ManifestErrorCode } from "./manifest-error.js";

/** A manifest is written by people: a file that is larger is something else, or an attack. */
const MAX_FILE_BYTES = 1_048_576;

/** What a file layer is read from. */
export interface FileSource extends LayerSource {
  readonly file: string;
  /** Where it is opened. */
  readonly path: string;
}

/**
 * The text of a manifest. Only a regular file is opened, and no more of it
 * read than is allowed, though it may become a link or a pipe or grow meanwhile.
 *
 * @throws ManifestError that tells why there is no text, and nothing of what is in the file.
 */
export async function readManifestFile(source: FileSource): Promise<string> {
  let handle: FileHandle | undefined;
  try {
    // Before it is opened too: to open a device may already do something.
    checkKind(await lstat(source.path), source);
    // The flags are those of POSIX; where a system lacks them they count as 0. A pipe without a writer blocks no open.
    handle = await open(source.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await handle.stat();
    checkKind(stats, source);
    if (stats.size > MAX_FILE_BYTES) throw tooLarge(source, `${stats.size} bytes`);
    return decode(await readBounded(handle, source), source);
  } catch (cause) {
    if (cause instanceof ManifestError) throw cause;
    throw explainFailure(source, cause);
  } finally {
    await handle?.close();
  }
}

/** An error about a whole file. */
export function createFileError(
  code: ManifestErrorCode,
  source: LayerSource,
  details: { readonly expected: string; readonly received: string; readonly remedy: string },
  cause?: unknown,
): ManifestError {
  const fault = createFault(source, code, details);
  return new ManifestError(code, [fault], cause === undefined ? undefined : { cause });
}

function checkKind(stats: Stats, source: FileSource): void {
  if (stats.isFile()) return;
  throw irregular(source, describeKind(stats));
}

function describeKind(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a symbolic link";
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a named pipe";
  return stats.isSocket() ? "a socket" : "a device";
}

/** Reads at most one byte more than is allowed, whatever size the file says it has. */
export async function readBounded(handle: Pick<FileHandle, "read">, source: FileSource): Promise<Buffer> {
  const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  throw tooLarge(source, "more");
}

function decode(bytes: Buffer, source: FileSource): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const remedy = "the file again, with the encoding UTF-8";
  throw createFileError("not-utf8", source, { expected: "text in UTF-8", received: "other bytes", remedy });
}

function explainFailure(source: FileSource, cause: unknown): ManifestError {
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  if (reason === "ELOOP") return irregular(source, "a symbolic link", cause);
  if (reason === "ENOENT" || reason === "ENOTDIR") {
    const details = { expected: "a manifest", received: "no such file", remedy: "the path of a file that exists" };
    return createFileError("missing-file", source, details, cause);
  }
  const remedy = "the path of a file, and allow reading it";
  const details = { expected: "a file that can be read", received: reason, remedy };
  return createFileError("unreadable-file", source, details, cause);
}

function irregular(source: FileSource, received: string, cause?: unknown): ManifestError {
  const remedy = "a regular file of that name, or the path of one";
  return createFileError("irregular-file", source, { expected: "a regular file", received, remedy }, cause);
}

function tooLarge(source: FileSource, received: string): ManifestError {
  const remedy = "limits of tools, and nothing else that is long";
  return createFileError("too-large", source, { expected: `at most ${MAX_FILE_BYTES} bytes`, received, remedy });
}
