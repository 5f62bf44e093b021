import { findClosingQuote, isEscaped } from "./find-closing-quote.js";

/** Finds the end of a JSON string as its pieces come, and keeps the string where it is asked to. */
export class StringScanner {
  readonly #maxBytes: number;
  #isEscaped = false;
  #isAtEnd = false;
  #keeps = false;
  #kept: Buffer[] = [];
  #keptBytes = 0;

  /** `maxBytes`: the longest string that is kept. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Begins a string, behind its opening quote. */
  start(): void {
    this.#isEscaped = false;
    this.#isAtEnd = false;
    this.#keeps = false;
  }

  /** The same, for a string that {@link token} will be asked for. */
  startKept(): void {
    this.start();
    this.#keeps = true;
    this.#kept = [];
    this.#keptBytes = 0;
  }

  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** The string that ended, with its quotes; undefined where it was not kept or is too long. */
  get token(): string | undefined {
    return this.#keeps && this.#keptBytes <= this.#maxBytes ? `"${Buffer.concat(this.#kept).toString()}` : undefined;
  }

  /** Reads on, and returns where the string ends in this piece, behind its closing quote; or the length of the piece. */
  push(piece: Buffer, from: number): number {
    const end = this.#find(piece, from);
    if (this.#keeps && this.#keptBytes <= this.#maxBytes) {
      this.#kept.push(piece.subarray(from, end));
      this.#keptBytes += end - from;
    }
    return end;
  }

  #find(piece: Buffer, from: number): number {
    const start = this.#isEscaped ? from + 1 : from;
    const quote = findClosingQuote(piece, start);
    this.#isEscaped = quote === -1 && isEscaped(piece, start, piece.length);
    this.#isAtEnd = quote !== -1;
    return quote === -1 ? piece.length : quote + 1;
  }
}
