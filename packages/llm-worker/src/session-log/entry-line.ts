import { isUtf8 } from "node:buffer";
import type { SessionEntry } from "../session-entry.js";
import { readErrorCode, SessionLogError } from "./session-log-error.js";

/** No longer line is written or read: a string of V8 holds twice as much, and a log without newlines is none. */
export const MAX_LINE_BYTES: number = 2 ** 28;

/**
 * The line of an entry, with its newline. JSON escapes newlines, NULs and lone surrogates: a line is UTF-8 without them.
 *
 * @throws SessionLogError
 */
export function formatEntry(entry: SessionEntry, file: string): Buffer {
  let text: string;
  try {
    // Without its toJSON, an entry keeps the mark by which it is known again.
    const plain = { ...entry, toJSON: undefined };
    if (!isEntry(plain)) throw invalidEntry(file, "something else");
    text = `${JSON.stringify(plain)}\n`;
  } catch (cause) {
    if (cause instanceof SessionLogError) throw cause;
    throw invalidEntry(file, `what JSON refuses: ${readErrorCode(cause)}`, cause);
  }
  const lineBytes = Buffer.byteLength(text);
  if (lineBytes > MAX_LINE_BYTES) throw invalidEntry(file, `${lineBytes} bytes`);
  return Buffer.from(text);
}

/** The entry of a line, its mark looked at and nothing else; undefined where there is none. */
export function parseEntry(line: Buffer): SessionEntry | undefined {
  const value = parseJson(line);
  return isEntry(value) ? value : undefined;
}

/** The value of a line that is JSON in UTF-8, else undefined. */
export function parseJson(line: Buffer): unknown {
  if (!isUtf8(line)) return undefined;
  try {
    return JSON.parse(line.toString());
  } catch {
    // The error quotes the line, which nobody may see. That it is unreadable is told by whoever reads.
    return undefined;
  }
}

function isEntry(value: unknown): value is SessionEntry {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function invalidEntry(file: string, received: string, cause?: unknown): SessionLogError {
  const expected = `an entry with a type, plain JSON of at most ${MAX_LINE_BYTES} bytes`;
  return new SessionLogError("invalid-entry", { file, expected, received, remedy: "append a SessionEntry", cause });
}
