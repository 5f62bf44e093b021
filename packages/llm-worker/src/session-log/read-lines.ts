import { SessionLogError } from "./session-log-error.js";

/** A file that is open for reading, as far as it is needed here. */
export interface ReadSource {
  readonly handle: {
    read(into: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  };
  readonly file: string;
}

/** One line of a file. */
export interface LogLine {
  /** From 1. */
  readonly number: number;
  /** Its newline included. */
  readonly bytes: number;
  /** Whether it has its newline. */
  readonly isCommitted: boolean;
  /** Without its newline, and good until the next line is asked for; undefined where it is longer than allowed. */
  readonly text: Buffer | undefined;
}

const CHUNK_BYTES = 65_536;
const NEWLINE = 10;

/**
 * The lines of the first `endBytes` of a file, the last one perhaps without a newline. Holds one line in memory, and of
 * one that is too long nothing.
 *
 * @throws SessionLogError where the file has become shorter.
 */
export async function* readLines(
  source: ReadSource,
  endBytes: number,
  maxLineBytes: number,
): AsyncGenerator<LogLine, void, undefined> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const line = new LineBuffer(maxLineBytes);
  let number = 1;
  for (let position = 0; position < endBytes; ) {
    const { bytesRead } = await source.handle.read(chunk, 0, Math.min(CHUNK_BYTES, endBytes - position), position);
    if (bytesRead === 0) throw shortened(source.file, position, endBytes);
    position += bytesRead;
    const bytes = chunk.subarray(0, bytesRead);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const { text, length } = line.finish(bytes.subarray(start, end));
      yield { number, bytes: length + 1, isCommitted: true, text };
      number += 1;
      start = end + 1;
    }
    line.add(bytes.subarray(start));
  }
  const { text, length } = line.finish(Buffer.alloc(0));
  if (length > 0) yield { number, bytes: length, isCommitted: false, text };
}

/** A line that comes in pieces. */
class LineBuffer {
  readonly #maxLineBytes: number;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** Copies a piece, whose memory is used again. */
  add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > this.#maxLineBytes) this.#pieces = [];
    else this.#pieces.push(Buffer.from(piece));
  }

  finish(last: Buffer): { readonly text: Buffer | undefined; readonly length: number } {
    const length = this.#length + last.length;
    const pieces = [...this.#pieces, last];
    this.#pieces = [];
    this.#length = 0;
    if (length > this.#maxLineBytes) return { text: undefined, length };
    return { text: pieces.length === 1 ? last : Buffer.concat(pieces), length };
  }
}

function shortened(file: string, received: number, expected: number): SessionLogError {
  const fault = {
    file,
    expected: `${expected} bytes, as before`,
    received: `${received}: something else cut it`,
    remedy: "let one process at a time use the file",
  };
  return new SessionLogError("changed-file", fault);
}
