import type { Span } from "./message-outline.js";

/** The bytes of a line, in the pieces in which they are held: a line that only passes is never joined. */
export class LineBytes {
  readonly pieces: readonly Buffer[];

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces;
  }

  /** The bytes of a span as they are held; none behind the end of the line. */
  cut({ start, end }: Span): readonly Buffer[] {
    const found: Buffer[] = [];
    let position = 0;
    for (const piece of this.pieces) {
      const part = piece.subarray(Math.max(0, start - position), Math.max(0, end - position));
      if (part.length > 0) found.push(part);
      position += piece.length;
    }
    return found;
  }

  /** The bytes of a span in one piece: a copy, where they are held in several. */
  join(span: Span): Buffer {
    const found = this.cut(span);
    const [first = Buffer.alloc(0)] = found;
    return found.length > 1 ? Buffer.concat(found) : first;
  }
}
