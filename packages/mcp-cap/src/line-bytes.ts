import type { Span } from "./message-outline.js";

/** The bytes of a line, in the pieces in which they came: a line that only passes is never joined. */
export class LineBytes {
  #pieces: readonly Buffer[];

  constructor(pieces: readonly Buffer[]) {
    this.#pieces = pieces;
  }

  get pieces(): readonly Buffer[] {
    return this.#pieces;
  }

  /** The bytes of a span as they are held; none behind the end of the line. */
  cut({ start, end }: Span): readonly Buffer[] {
    const found: Buffer[] = [];
    let position = 0;
    for (const piece of this.#pieces) {
      const part = piece.subarray(Math.max(0, start - position), Math.max(0, end - position));
      if (part.length > 0) found.push(part);
      position += piece.length;
    }
    return found;
  }

  /** The bytes of a span in one piece. The first time the whole line is joined, so that its pieces take no memory beside it. */
  join(span: Span): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    const [joined = Buffer.alloc(0)] = this.cut(span);
    return joined;
  }
}
