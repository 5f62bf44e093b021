import { byteLength } from "#utf8";
import type { Keep } from "../limits.js";
import { toWellFormed } from "../to-well-formed.js";

const SHORT_UNITS = 48;
const CHUNK_UNITS = 16_384;
/** No UTF-16 unit has more bytes than `\u0000`. */
const MAX_UNIT_BYTES = 6;
/** Stands between two ends, 3 bytes. */
const ELLIPSIS = "…";

/** UTF-8 bytes of a text as JSON, quotes included; a lone surrogate counts as U+FFFD. Counts no further than `maxBytes`. */
export function jsonTextBytes(text: string, maxBytes: number): number {
  if (text.length <= SHORT_UNITS && isPlainAscii(text)) return text.length + 2;
  let bytes = 2;
  let units = 0;
  while (units < text.length && bytes <= maxBytes) {
    const end = endOfChunk(text, units, CHUNK_UNITS);
    bytes += escapedBytes(text.slice(units, end));
    units = end;
  }
  return bytes;
}

/** The well-formed text, or the part of it that has at most `maxBytes` as JSON, quotes included, and keeps the rest not alive. */
export function cutJsonText(text: string, maxBytes: number, keep: Keep): string {
  if (text.length * MAX_UNIT_BYTES + 2 <= maxBytes || jsonTextBytes(text, maxBytes) <= maxBytes)
    return toWellFormed(text);
  const room = maxBytes - 2;
  if (keep === "tail") return joinHalves(text.slice(text.length - fitEscapedSuffix(text, room)));
  const roomForBoth = room - 3;
  if (keep === "head" || roomForBoth < 2) return joinHalves(text.slice(0, fitEscapedPrefix(text, room)));
  const start = text.slice(0, fitEscapedPrefix(text, Math.floor(roomForBoth / 2)));
  const end = text.slice(text.length - fitEscapedSuffix(text, roomForBoth - Math.floor(roomForBoth / 2)));
  return [toWellFormed(start), ELLIPSIS, toWellFormed(end)].join("");
}

/** UTF-16 units of the longest prefix that has at most `maxBytes` inside the quotes. */
function fitEscapedPrefix(text: string, maxBytes: number): number {
  let units = 0;
  let bytes = 0;
  for (;;) {
    const step = Math.floor((maxBytes - bytes) / MAX_UNIT_BYTES);
    if (step < 16 || units >= text.length) break;
    const end = endOfChunk(text, units, step);
    bytes += escapedBytes(text.slice(units, end));
    units = end;
  }
  for (; units < text.length; ) {
    const codePoint = text.codePointAt(units) ?? 0;
    bytes += escapedWidth(codePoint);
    if (bytes > maxBytes) break;
    units += codePoint > 0xffff ? 2 : 1;
  }
  return units;
}

/** UTF-16 units of the longest suffix that has at most `maxBytes` inside the quotes. */
function fitEscapedSuffix(text: string, maxBytes: number): number {
  let from = text.length;
  let bytes = 0;
  for (;;) {
    const step = Math.floor((maxBytes - bytes) / MAX_UNIT_BYTES);
    if (step < 16 || from <= step) break;
    const begin = isLowSurrogate(text.charCodeAt(from - step)) ? from - step + 1 : from - step;
    bytes += escapedBytes(text.slice(begin, from));
    from = begin;
  }
  for (; from > 0; ) {
    const pair = text.codePointAt(from - 2) ?? 0;
    const codePoint = pair > 0xffff ? pair : text.charCodeAt(from - 1);
    bytes += escapedWidth(codePoint);
    if (bytes > maxBytes) break;
    from -= codePoint > 0xffff ? 2 : 1;
  }
  return text.length - from;
}

/** V8 keeps the parent of a slice alive, but not the parts of what is joined. */
export function joinHalves(slice: string): string {
  const middle = slice.length >> 1;
  return toWellFormed([slice.slice(0, middle), slice.slice(middle)].join(""));
}

/** Keys are, and most short texts: a look at each unit is faster than a call of the engine. */
function isPlainAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return false;
  }
  return true;
}

function escapedBytes(text: string): number {
  return byteLength(JSON.stringify(toWellFormed(text))) - 2;
}

/** Never between the halves of a surrogate pair. */
function endOfChunk(text: string, start: number, maxUnits: number): number {
  const end = start + maxUnits;
  if (end >= text.length) return text.length;
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

function escapedWidth(codePoint: number): number {
  if (codePoint < 0x20) return "\b\t\n\f\r".includes(String.fromCharCode(codePoint)) ? 2 : 6;
  if (codePoint < 0x80) return codePoint === 0x22 || codePoint === 0x5c ? 2 : 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
