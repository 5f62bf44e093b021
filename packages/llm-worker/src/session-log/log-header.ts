import { parseJson } from "./entry-line.js";
import type { OpenFile } from "./open-regular-file.js";
import { SessionLogError } from "./session-log-error.js";

const FORMAT = "pod-session-log";
const VERSION = 1;

/** The first line of every log, newline included. A line that an older reader cannot read needs a new version. */
export const HEADER_LINE: Buffer = Buffer.from(`${JSON.stringify({ format: FORMAT, version: VERSION })}\n`);

/** What the first line of a file may measure: enough for later versions to say more in it. */
const MAX_HEADER_BYTES = 4_096;

/**
 * Makes sure that a file with a whole first line is a log that can be read.
 *
 * @throws SessionLogError
 */
export async function checkHeader(source: OpenFile): Promise<void> {
  const start = await readStart(source, MAX_HEADER_BYTES);
  if (!isHeader(start.subarray(0, Math.max(start.indexOf("\n"), 0)), source.file)) throw notALog(source.file);
}

/**
 * Whether a line is the first line of a log that can be read.
 *
 * @throws SessionLogError where it is one of a version that cannot.
 */
export function isHeader(line: Buffer, file: string): boolean {
  const value = parseJson(line);
  if (typeof value !== "object" || value === null || !("format" in value && "version" in value)) return false;
  const { format, version } = value;
  if (format !== FORMAT || !Number.isSafeInteger(version) || Number(version) < VERSION) return false;
  if (version === VERSION) return true;
  const received = `version ${version}, of a newer @pod/llm-worker`;
  const remedy = "update @pod/llm-worker";
  throw new SessionLogError("newer-version", { file, expected: `format version ${VERSION}`, received, remedy });
}

/**
 * Makes sure that a file without a whole line is the beginning of a log: a process died that had just made it, or the
 * power went, which leaves NULs. What is anything else belongs to somebody, and is not cut.
 *
 * @throws SessionLogError
 */
export async function checkTornHeader(source: OpenFile): Promise<void> {
  const start = await readStart(source, MAX_TORN_BYTES + 1);
  const isOurs = start.every((byte, index) => byte === 0 || byte === HEADER_LINE[index]);
  if (!isOurs || start.length > MAX_TORN_BYTES) throw notALog(source.file);
}

/** More than one block of any file system. */
const MAX_TORN_BYTES = 65_536;

/** The error for a file that holds something else. */
export function notALog(file: string): SessionLogError {
  const fault = {
    file,
    expected: `a session log, whose first line says ${FORMAT}`,
    received: "another file",
    remedy: "give the path of a log or of a file that is to be made; a log whose first line is lost: repairSessionLog",
  };
  return new SessionLogError("not-a-session-log", fault);
}

async function readStart({ handle }: OpenFile, maxBytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
  return buffer.subarray(0, bytesRead);
}
