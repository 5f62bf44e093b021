import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { explainFailure, irregularFile, missingDirectory, readErrorCode } from "./session-log-error.js";

/** A file that is open, and the name that errors give it. */
export interface OpenFile {
  readonly handle: FileHandle;
  /** An absolute path. */
  readonly file: string;
}

/** The flags are those of POSIX; where a system lacks them they count as 0. A pipe without a reader blocks no open. */
const GUARDED = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Each write goes to the end, in one piece, wherever another one ended meanwhile. */
export const FOR_APPENDING: number = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

/**
 * Opens a regular file, and nothing else: through a link a file has two names, and so two locks. One that is made
 * is for its owner alone.
 *
 * @throws SessionLogError
 */
export async function openRegularFile(file: string, flags: number): Promise<OpenFile> {
  let handle: FileHandle | undefined;
  try {
    // Before it is opened too: to open a device may already do something.
    await expectRegularOrNone(file);
    handle = await open(file, flags | GUARDED, 0o600);
    expectRegular(file, await handle.stat());
    return { handle, file };
  } catch (cause) {
    await handle?.close();
    throw explainFailure(file, cause);
  }
}

/**
 * Nothing of that name is fine, where there is a directory for it.
 *
 * @throws SessionLogError
 */
export async function expectRegularOrNone(file: string): Promise<void> {
  try {
    expectRegular(file, await lstat(file));
  } catch (cause) {
    if (readErrorCode(cause) !== "ENOENT") throw explainFailure(file, cause);
    await expectDirectory(file);
  }
}

async function expectDirectory(file: string): Promise<void> {
  try {
    await stat(dirname(file));
  } catch (cause) {
    throw missingDirectory(file, cause);
  }
}

function expectRegular(file: string, stats: Stats): void {
  if (!stats.isFile()) throw irregularFile(file, describeKind(stats));
}

function describeKind(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a symbolic link";
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a named pipe";
  return stats.isSocket() ? "a socket" : "a device";
}
