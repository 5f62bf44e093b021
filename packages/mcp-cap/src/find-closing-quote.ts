import { BACKSLASH, QUOTE } from "./json-bytes.js";

/** In a loop over so many bytes most strings end, and most escapes pass; a search is faster for what is longer. */
const LOOKED_AT = 48;

/** Where a JSON string ends that goes on at `start`, not behind a backslash; -1 where it does not end in these bytes. */
export function findClosingQuote(bytes: Buffer, start: number): number {
  let index = start;
  for (;;) {
    const near = Math.min(bytes.length, index + LOOKED_AT);
    while (index < near) {
      const byte = bytes[index];
      if (byte === QUOTE) return index;
      index += byte === BACKSLASH ? 2 : 1;
    }
    if (index >= bytes.length) return -1;
    const quote = bytes.indexOf(QUOTE, index);
    if (quote === -1 || !isEscaped(bytes, index, quote)) return quote;
    index = quote + 1;
  }
}

/** Whether an odd number of backslashes stands before `end`, none of them before `start`. */
export function isEscaped(bytes: Buffer, start: number, end: number): boolean {
  let first = end;
  while (first > start && bytes[first - 1] === BACKSLASH) first--;
  return (end - first) % 2 === 1;
}
