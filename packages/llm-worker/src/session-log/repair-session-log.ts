import { constants, type Stats } from "node:fs";
import { type FileHandle, link, open, rename, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { acquireLock } from "./acquire-lock.js";
import { checkPath } from "./check-path.js";
import { MAX_LINE_BYTES, parseEntry } from "./entry-line.js";
import { HEADER_LINE, isHeader, notALog } from "./log-header.js";
import { type OpenFile, openRegularFile } from "./open-regular-file.js";
import { readLines } from "./read-lines.js";
import { explainFailure, readErrorCode } from "./session-log-error.js";
import { syncDirectory } from "./sync-directory.js";

/** Neighbouring lines that a repair left out. */
export interface LeftOutLines {
  /** From 1, in the original file; the line with the format version counts. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Newlines included. */
  readonly bytes: number;
}

/** What a repair did. */
export interface SessionLogRepair {
  /** How many entries the log has now. */
  readonly keptEntries: number;
  /** In order; empty where there was nothing to repair, and the file is as it was. */
  readonly leftOut: readonly LeftOutLines[];
  /** The path of the original file; absent where the file is as it was. */
  readonly original?: string;
}

/**
 * Writes a session log anew, with every line that can be read and none that cannot, and says which lines it left out.
 * The original stays beside it, as `<file>.damaged`, `<file>.damaged-2` and so on; the new file takes its place in one
 * step, with the same mode, when it is on disk. It holds the log's lock meanwhile. What is left may lack a message or a
 * result: a worker that resumes it closes what it cannot continue.
 *
 * @throws SessionLogError, with code `locked` where a worker uses the log. InvalidOptionsError where `file` is no path.
 */
export async function repairSessionLog(file: string): Promise<SessionLogRepair> {
  const path = resolve(checkPath(file));
  const lock = await acquireLock(path);
  try {
    const source = await openRegularFile(path, constants.O_RDONLY);
    try {
      return await repair(source);
    } finally {
      await source.handle.close();
    }
  } catch (cause) {
    throw explainFailure(path, cause);
  } finally {
    await lock.release();
  }
}

async function repair(source: OpenFile): Promise<SessionLogRepair> {
  const temporary = `${source.file}.repair`;
  const stats = await source.handle.stat();
  // Who holds the lock may delete what an earlier repair left that died.
  await removeIfThere(temporary);
  const target = await open(temporary, "wx", 0o600);
  try {
    const copied = await copyReadable(source, stats.size, target);
    if (copied.leftOut.length === 0) return copied;
    await takeOver(target, stats);
    await target.sync();
    const original = await keepAside(source.file);
    await rename(temporary, source.file);
    await syncDirectory(dirname(source.file));
    return { ...copied, original };
  } finally {
    await target.close();
    await removeIfThere(temporary);
  }
}

/** @throws SessionLogError where no line is one of a log. */
async function copyReadable(source: OpenFile, fileBytes: number, target: FileHandle): Promise<SessionLogRepair> {
  const leftOut: LeftOutLines[] = [];
  let keptEntries = 0;
  let hasHeader = false;
  await target.appendFile(HEADER_LINE);
  for await (const { number, bytes, isCommitted, text } of readLines(source, fileBytes, MAX_LINE_BYTES)) {
    if (number === 1 && text !== undefined && isHeader(text, source.file)) hasHeader = true;
    else if (text === undefined || !isCommitted || parseEntry(text) === undefined) addLine(leftOut, number, bytes);
    else {
      await target.appendFile(text);
      await target.appendFile("\n");
      keptEntries += 1;
    }
  }
  // What was somebody's own file is not taken for a log that has lost all its lines.
  if (fileBytes > 0 && !hasHeader && keptEntries === 0) throw notALog(source.file);
  return { keptEntries, leftOut };
}

function addLine(leftOut: LeftOutLines[], line: number, bytes: number): void {
  const last = leftOut.at(-1);
  if (last?.lastLine !== line - 1) leftOut.push({ firstLine: line, lastLine: line, bytes });
  else leftOut[leftOut.length - 1] = { ...last, lastLine: line, bytes: last.bytes + bytes };
}

/** A repair by root leaves the file to whom it belongs. */
async function takeOver(target: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  await target.chown(uid, gid);
  await target.chmod(mode & 0o777);
}

async function keepAside(file: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const original = number === 1 ? `${file}.damaged` : `${file}.damaged-${number}`;
    try {
      await link(file, original);
      return original;
    } catch (error) {
      if (readErrorCode(error) !== "EEXIST") throw error;
    }
  }
}

async function removeIfThere(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if (readErrorCode(error) !== "ENOENT") throw error;
  }
}
