import type { Piece } from "./piece.js";

// The build sees no DOM types, so that nothing else in this package can lean on a browser.
declare const TextEncoder: new () => {
  encodeInto(text: string, bytes: Uint8Array): { readonly read: number; readonly written: number };
};

const CHUNK_UNITS = 65_536;
const encoder = new TextEncoder();
const scratch = new Uint8Array(65_536);

/** UTF-8 bytes of a text; a lone surrogate counts as U+FFFD, 3 bytes. For browsers and edge runtimes; Node counts faster. */
export function byteLength(text: string): number {
  return fitPrefix({ text }, Number.POSITIVE_INFINITY).bytes;
}

/** The longest prefix of at most `maxBytes`. */
export function fitPrefix({ text }: Pick<Piece, "text">, maxBytes: number): Piece {
  let bytes = 0;
  let units = 0;
  for (;;) {
    // A chunk that ends between two surrogates is never read to its end: the other units leave no room for U+FFFD.
    const { read, written } = encoder.encodeInto(
      text.slice(units, units + CHUNK_UNITS),
      scratch.subarray(0, maxBytes - bytes),
    );
    if (read === 0) return { text: text.slice(0, units), bytes };
    bytes += written;
    units += read;
  }
}

/** The longest suffix of at most `maxBytes`. */
export function fitSuffix({ text }: Pick<Piece, "text">, maxBytes: number): Piece {
  // A unit has at least one byte. What begins inside a pair is half a character with three bytes, and goes at once.
  let suffix = text.slice(Math.max(0, text.length - maxBytes));
  for (;;) {
    const bytes = byteLength(suffix);
    if (bytes <= maxBytes) return { text: suffix, bytes };
    const tooMuch = fitPrefix({ text: suffix }, bytes - maxBytes).text.length;
    suffix = suffix.slice(tooMuch || (Number(suffix.codePointAt(0)) > 0xffff ? 2 : 1));
  }
}
