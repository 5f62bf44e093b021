import { byteLength } from "#byte-length";
import type { Part } from "./fit-prefix.js";

/** The longest suffix of at most `maxBytes`, with work proportional to `maxBytes`. `textBytes` is what the text has. */
export function fitSuffix(text: string, textBytes: number, maxBytes: number): Part {
  if (textBytes <= maxBytes) return { units: text.length, bytes: textBytes };
  // ASCII only: one byte a unit.
  if (textBytes === text.length) return { units: maxBytes, bytes: maxBytes };
  let from = text.length;
  let bytes = 0;
  // As in fitPrefix: pieces of a third of the room, then the last few characters one by one.
  for (;;) {
    const step = Math.floor((maxBytes - bytes) / 3);
    if (step < 16) break;
    const begin = isLowSurrogate(text.charCodeAt(from - step)) ? from - step + 1 : from - step;
    bytes += byteLength(text.slice(begin, from));
    from = begin;
  }
  for (; from > 0; ) {
    const codePoint = codePointBefore(text, from);
    const width = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    if (bytes + width > maxBytes) break;
    bytes += width;
    from -= width === 4 ? 2 : 1;
  }
  return { units: text.length - from, bytes };
}

function codePointBefore(text: string, index: number): number {
  const pair = text.codePointAt(index - 2) ?? 0;
  return pair > 0xffff ? pair : text.charCodeAt(index - 1);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
