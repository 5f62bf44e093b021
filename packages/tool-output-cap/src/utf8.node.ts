import type { Piece } from "./piece.js";
import { fitPrefix as fitShortPrefix, fitSuffix as fitShortSuffix } from "./utf8.js";

// The build sees no Node types, so that nothing else in this package can lean on Node.
declare const Buffer: { byteLength(text: string): number };

/** UTF-8 bytes of a text; a lone surrogate counts as U+FFFD, 3 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** The longest prefix of at most `maxBytes`, with work proportional to `maxBytes`. */
export function fitPrefix(whole: Piece, maxBytes: number): Piece {
  const { text } = whole;
  if (whole.bytes <= maxBytes) return whole;
  // ASCII only: one byte a unit.
  if (whole.bytes === text.length) return { text: text.slice(0, maxBytes), bytes: maxBytes };
  const near = approach(whole, maxBytes, (from, to) => text.slice(from, to));
  const room = maxBytes - near.bytes;
  const rest = fitShortPrefix({ text: text.slice(near.units, near.units + room) }, room);
  return { text: text.slice(0, near.units + rest.text.length), bytes: near.bytes + rest.bytes };
}

/** The longest suffix of at most `maxBytes`, with work proportional to `maxBytes`. */
export function fitSuffix(whole: Piece, maxBytes: number): Piece {
  const { text } = whole;
  if (whole.bytes <= maxBytes) return whole;
  if (whole.bytes === text.length) return { text: text.slice(text.length - maxBytes), bytes: maxBytes };
  const fromEnd = (from: number, to: number): string => text.slice(Math.max(0, text.length - to), text.length - from);
  const near = approach(whole, maxBytes, fromEnd);
  const room = maxBytes - near.bytes;
  const rest = fitShortSuffix({ text: fromEnd(near.units, near.units + room) }, room);
  return { text: fromEnd(0, near.units + rest.text.length), bytes: near.bytes + rest.bytes };
}

interface Approach {
  readonly units: number;
  readonly bytes: number;
}

/** Bytes at which a look at each character costs less than one more count. */
const NEAR_BYTES = 192;

/**
 * A part of at most `maxBytes`, and nearly as much: what should fit by the density of the whole is counted, then only the
 * differences. `piece` gives the units between two distances from the end that stays.
 */
function approach(whole: Piece, maxBytes: number, piece: (from: number, to: number) => string): Approach {
  // Rather too little than too much, since more can be had in one go.
  let units = Math.max(0, Math.floor((maxBytes / whole.bytes) * whole.text.length) - NEAR_BYTES / 4);
  if (isPair(piece(units - 1, units + 1))) units--;
  let bytes = Buffer.byteLength(piece(0, units));
  while (bytes > maxBytes) {
    let fewer = Math.floor((maxBytes / bytes) * units);
    if (isPair(piece(fewer - 1, fewer + 1))) fewer--;
    bytes -= Buffer.byteLength(piece(fewer, units));
    units = fewer;
  }
  while (maxBytes - bytes > NEAR_BYTES) {
    // A unit has at most three bytes.
    let more = units + Math.floor((maxBytes - bytes) / 3);
    if (isPair(piece(more - 1, more + 1))) more--;
    bytes += Buffer.byteLength(piece(units, more));
    units = more;
  }
  return { units, bytes };
}

function isPair(units: string): boolean {
  return Number(units.codePointAt(0)) > 0xffff;
}
