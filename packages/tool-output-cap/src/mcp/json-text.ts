import { byteLength } from "#utf8";

const CHUNK_UNITS = 16_384;
/** No UTF-16 unit has more bytes than `\u0000`. */
const MAX_UNIT_BYTES = 6;

/** A text that is part of another, and the UTF-8 bytes that it has inside the quotes of a JSON text. */
export interface EscapedPart {
  readonly units: number;
  readonly bytes: number;
}

/** UTF-8 bytes of a text as JSON, quotes included; a lone surrogate counts as U+FFFD. Counts no further than `maxBytes`. */
export function jsonTextBytes(text: string, maxBytes: number): number {
  let bytes = 2;
  let units = 0;
  while (units < text.length && bytes <= maxBytes) {
    const end = endOfChunk(text, units, CHUNK_UNITS);
    bytes += escapedBytes(text.slice(units, end));
    units = end;
  }
  return bytes;
}

/** A well-formed text that has at most `maxBytes` as JSON, quotes included: the longest prefix. It keeps nothing else alive. */
export function cutJsonText(text: string, maxBytes: number): string {
  if (jsonTextBytes(text, maxBytes) <= maxBytes) return text.toWellFormed();
  const { units } = fitEscapedPrefix(text, maxBytes - 2);
  return detach(text.slice(0, units));
}

/** The longest prefix that has at most `maxBytes` inside the quotes. */
export function fitEscapedPrefix(text: string, maxBytes: number): EscapedPart {
  let units = 0;
  let bytes = 0;
  for (;;) {
    const step = Math.floor((maxBytes - bytes) / MAX_UNIT_BYTES);
    if (step < 16 || units >= text.length) break;
    const end = endOfChunk(text, units, step);
    bytes += escapedBytes(text.slice(units, end));
    units = end;
  }
  for (;;) {
    const codePoint = text.codePointAt(units);
    if (codePoint === undefined) break;
    const width = escapedWidth(codePoint);
    if (bytes + width > maxBytes) break;
    bytes += width;
    units += codePoint > 0xffff ? 2 : 1;
  }
  return { units, bytes };
}

/** V8 keeps the parent of a slice alive, but not the parts of what is joined. */
function detach(slice: string): string {
  const middle = slice.length >> 1;
  return [slice.slice(0, middle), slice.slice(middle)].join("").toWellFormed();
}

function escapedBytes(text: string): number {
  return byteLength(JSON.stringify(text.isWellFormed() ? text : text.toWellFormed())) - 2;
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
