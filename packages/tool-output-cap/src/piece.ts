import { byteLength } from "#utf8";

/** A text, or a part of one that ends between two code points, and its UTF-8 bytes; a lone surrogate counts as U+FFFD. */
export interface Piece {
  readonly text: string;
  readonly bytes: number;
}

/** A text with its bytes counted. */
export function measure(text: string): Piece {
  return { text, bytes: byteLength(text) };
}
