import { dirname, resolve } from "node:path";
import { FaultList } from "./invalid-options-error.js";
import type { SessionEntry, SessionLog } from "./session-entry.js";
import { acquireLock, type FileLock } from "./session-log/acquire-lock.js";
import { checkPath } from "./session-log/check-path.js";
import { formatEntry, MAX_LINE_BYTES, parseEntry } from "./session-log/entry-line.js";
import { findCommittedEnd } from "./session-log/find-committed-end.js";
import { LineWriter } from "./session-log/line-writer.js";
import { checkHeader, checkTornHeader, HEADER_LINE } from "./session-log/log-header.js";
import { expectRegularOrNone, FOR_APPENDING, type OpenFile, openRegularFile } from "./session-log/open-regular-file.js";
import { readLines } from "./session-log/read-lines.js";
import { explainFailure, SessionLogError } from "./session-log/session-log-error.js";
import { syncDirectory } from "./session-log/sync-directory.js";

export type { SessionEntry, SessionLog } from "./session-entry.js";
export { type LeftOutLines, repairSessionLog, type SessionLogRepair } from "./session-log/repair-session-log.js";
export { SessionLogError, type SessionLogErrorCode, type SessionLogFault } from "./session-log/session-log-error.js";

/** How a log is written. */
export interface SessionLogOptions {
  /** Whether each entry is on disk before it is acknowledged, so that it outlives a power failure too; false. */
  readonly fsync?: boolean;
}

/** A session log in a file, held by one writer. */
export interface SessionLogFile extends SessionLog {
  /** An absolute path. */
  readonly file: string;
  /**
   * Resolves when the system has the whole line, newline included: it outlives the process. One append follows the
   * other, also where they are not awaited. After one that failed the next is as good as ever: what the failed one
   * wrote is cut first.
   *
   * @throws SessionLogError
   */
  append(entry: SessionEntry): Promise<void>;
  /**
   * The entries that were acknowledged before, one line at a time in memory. Only the mark `type` is looked at: what
   * else is in an entry is as it was written.
   *
   * @throws SessionLogError with code `corrupt-line` at the first line that cannot be read.
   */
  read(): AsyncIterable<SessionEntry>;
  /** Lets the appends end and the lock go. A process that ends without it leaves a lock that holds nobody up. */
  close(): Promise<void>;
}

/**
 * Opens a session log, or makes one that only its owner may read: a line of JSON with the format version, then one for
 * each entry. The newline is the commit: what stands behind the last one was never acknowledged, is not read, and goes
 * with the next append. The file `<file>.lock` beside it holds off other writers; one whose process has died is
 * replaced at once. For local disks: pids mean nothing across machines, nor appends on a network drive.
 *
 * @throws SessionLogError, never with text of the file. InvalidOptionsError where an argument makes no sense.
 */
export async function openSessionLog(file: string, options: SessionLogOptions = {}): Promise<SessionLogFile> {
  const faults = new FaultList();
  faults.expectObject(options, "options");
  const { fsync = false } = options;
  faults.expect(typeof fsync === "boolean", "fsync", "a boolean", fsync);
  const path = resolve(checkPath(file, faults));
  await expectRegularOrNone(path);
  const lock = await acquireLock(path);
  let source: OpenFile | undefined;
  try {
    source = await openRegularFile(path, FOR_APPENDING);
    return new LockedLog(source, lock, await prepareWriter(source, fsync));
  } catch (cause) {
    await source?.handle.close();
    await lock.release();
    throw explainFailure(path, cause);
  }
}

async function prepareWriter(source: OpenFile, fsync: boolean): Promise<LineWriter> {
  const { size } = await source.handle.stat();
  const committedEnd = await findCommittedEnd(source, size);
  const writer = new LineWriter(source, { committedEnd, fileEnd: size }, { fsync });
  if (committedEnd > 0) await checkHeader(source);
  else {
    await checkTornHeader(source);
    await writer.append(HEADER_LINE);
  }
  if (fsync) {
    // An earlier process may have written it without.
    await source.handle.datasync();
    await syncDirectory(dirname(source.file));
  }
  return writer;
}

class LockedLog implements SessionLogFile {
  readonly file: string;
  readonly #source: OpenFile;
  readonly #lock: FileLock;
  readonly #writer: LineWriter;
  #pending: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(source: OpenFile, lock: FileLock, writer: LineWriter) {
    this.file = source.file;
    this.#source = source;
    this.#lock = lock;
    this.#writer = writer;
  }

  async append(entry: SessionEntry): Promise<void> {
    this.#expectOpen();
    const line = formatEntry(entry, this.file);
    const appended = this.#pending.then(() => this.#writer.append(line));
    this.#pending = Promise.allSettled([appended]);
    return appended;
  }

  async *read(): AsyncGenerator<SessionEntry, void, undefined> {
    this.#expectOpen();
    try {
      for await (const { number, text } of readLines(this.#source, this.#writer.committedEnd, MAX_LINE_BYTES)) {
        if (number > 1) yield this.#parse(text, number);
        this.#expectOpen();
      }
    } catch (cause) {
      this.#expectOpen();
      throw explainFailure(this.file, cause);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#pending;
    try {
      await this.#source.handle.close();
    } finally {
      await this.#lock.release();
    }
  }

  #parse(text: Buffer | undefined, line: number): SessionEntry {
    const entry = text === undefined ? undefined : parseEntry(text);
    if (entry !== undefined) return entry;
    const received = text === undefined ? `more than ${MAX_LINE_BYTES} bytes` : `${text.length} bytes that are none`;
    const remedy = "call repairSessionLog, which keeps every line that can be read";
    throw new SessionLogError("corrupt-line", {
      file: this.file,
      line,
      expected: "an entry as JSON",
      received,
      remedy,
    });
  }

  #expectOpen(): void {
    if (this.#closing === undefined) return;
    const remedy = "open the log again, and close it last";
    throw new SessionLogError("closed", { file: this.file, expected: "an open log", received: "a closed one", remedy });
  }
}
