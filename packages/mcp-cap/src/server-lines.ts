import { ByteBuffer } from "./byte-buffer.js";
import { LineBytes } from "./line-bytes.js";
import { MessageScanner } from "./message-scanner.js";

const NEWLINE = 0x0a;

/** What becomes of the server's lines. */
export interface LineHandler {
  /** What is sent in place of a line that was read whole, its newline included where it has one. */
  handleLine(line: LineBytes, scanner: MessageScanner): readonly Buffer[];
  /** What is sent in place of a line that is too long to be read whole. */
  handleLongLine(scanner: MessageScanner): readonly Buffer[];
  /** Whether a line that is too long may pass unread, by what is known of it. */
  mayPass(scanner: MessageScanner): boolean;
}

/** Cuts what the server sends into lines, in memory that is bounded by `maxLineBytes`, and hands them on in order. */
export class ServerLines {
  readonly #handler: LineHandler;
  readonly #maxLineBytes: number;
  #scanner = new MessageScanner();
  readonly #started = new ByteBuffer();
  #fate: "read" | "passed" | "dropped" = "read";

  constructor(handler: LineHandler, maxLineBytes: number) {
    this.#handler = handler;
    this.#maxLineBytes = maxLineBytes;
  }

  /** Takes what came, and returns what is to be sent. */
  push(chunk: Buffer): readonly Buffer[] {
    const sent: Buffer[] = [];
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline === -1 ? chunk.length : newline + 1;
      sent.push(...this.#read(chunk.subarray(start, end)));
      if (newline !== -1) this.#startLine();
      start = end;
    }
    return sent;
  }

  /** Returns what is to be sent of a last line without newline. */
  end(): readonly Buffer[] {
    if (this.#fate === "dropped") return this.#handler.handleLongLine(this.#scanner);
    return this.#started.length === 0 ? [] : this.#handler.handleLine(this.#started.take(), this.#scanner);
  }

  /** Reads a piece of one line; its last byte alone may be the newline. */
  #read(piece: Buffer): readonly Buffer[] {
    if (this.#fate === "passed") return [piece];
    const isWhole = piece.at(-1) === NEWLINE;
    const room = this.#maxLineBytes - this.#started.length + (isWhole ? 1 : 0);
    if (this.#fate === "dropped" || piece.length > room) return this.#readLong(piece);
    this.#scanner.push(piece);
    if (isWhole && this.#started.length === 0) return this.#handler.handleLine(new LineBytes([piece]), this.#scanner);
    this.#started.append(piece);
    return isWhole ? this.#handler.handleLine(this.#started.take(), this.#scanner) : [];
  }

  #readLong(piece: Buffer): readonly Buffer[] {
    if (this.#fate === "read") {
      // What is known of a line does not depend on the pieces in which it came.
      const within = this.#maxLineBytes - this.#started.length;
      this.#scanner.push(piece.subarray(0, within));
      const started = this.#started.take();
      if (this.#handler.mayPass(this.#scanner)) {
        this.#fate = "passed";
        return [...started.pieces, piece];
      }
      this.#fate = "dropped";
      return this.#readLong(piece.subarray(within));
    }
    this.#scanner.push(piece);
    return piece.at(-1) === NEWLINE ? this.#handler.handleLongLine(this.#scanner) : [];
  }

  #startLine(): void {
    this.#scanner = new MessageScanner();
    this.#fate = "read";
  }
}
