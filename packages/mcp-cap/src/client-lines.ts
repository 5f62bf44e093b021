import type { CallLog } from "./call-log.js";
import { MessageScanner } from "./message-scanner.js";

const NEWLINE = 0x0a;

/**
 * Notes the calls in what the client sends, as it goes by: none of it is held back or changed, however long its lines are.
 * What we say to the server ourselves goes in between two lines of the client's.
 */
export class ClientLines {
  readonly #calls: CallLog;
  #scanner = new MessageScanner();
  #noted = 0;
  #isInLine = false;
  #waiting: Buffer[] = [];

  constructor(calls: CallLog) {
    this.#calls = calls;
  }

  /** Takes what came, and returns what is to be sent. */
  push(chunk: Buffer): readonly Buffer[] {
    const isWatched = this.#waiting.length > 0;
    const sent: Buffer[] = [];
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline === -1 ? chunk.length : newline + 1;
      const piece = chunk.subarray(start, end);
      this.#read(piece);
      sent.push(piece);
      this.#isInLine = newline === -1;
      if (!this.#isInLine) {
        this.#scanner = new MessageScanner();
        this.#noted = 0;
        sent.push(...this.#waiting);
        this.#waiting = [];
      }
      start = end;
    }
    return isWatched ? sent : [chunk];
  }

  /** Takes lines of our own, and returns what is to be sent now. */
  insert(lines: string): readonly Buffer[] {
    const bytes = Buffer.from(lines);
    if (!this.#isInLine) return [bytes];
    this.#waiting.push(bytes);
    return [];
  }

  #read(piece: Buffer): void {
    this.#scanner.push(piece);
    // A server may answer before the newline.
    for (; this.#noted < this.#scanner.outlines.length; this.#noted++) {
      const outline = this.#scanner.outlines[this.#noted];
      if (outline !== undefined) this.#calls.addRequest(outline);
    }
  }
}
