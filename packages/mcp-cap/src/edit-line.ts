import type { LineBytes } from "./line-bytes.js";
import type { Span } from "./message-outline.js";

/** JSON that stands in a line in place of other JSON. */
export interface Edit {
  readonly span: Span;
  readonly json: string;
}

/** The pieces of a line with its edits, which do not overlap; every other byte is as it was. */
export function editLine(line: LineBytes, edits: readonly Edit[]): readonly Buffer[] {
  if (edits.length === 0) return line.pieces;
  const pieces: Buffer[] = [];
  let start = 0;
  for (const { span, json } of edits.toSorted((left, right) => left.span.start - right.span.start)) {
    pieces.push(...line.cut({ start, end: span.start }), Buffer.from(json));
    start = span.end;
  }
  pieces.push(...line.cut({ start, end: Number.POSITIVE_INFINITY }));
  return pieces;
}
