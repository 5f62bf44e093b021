import { byteLength } from "#byte-length";

/** A prefix or suffix of a text that ends between two code points. */
export interface Part {
  /** Its length in UTF-16 units, as `slice` wants it. */
  readonly units: number;
  /** Its length in UTF-8 bytes; a lone surrogate counts as U+FFFD. */
  readonly bytes: number;
}

/** The longest prefix of at most `maxBytes`, with work proportional to `maxBytes`. `textBytes` is what the text has. */
export function fitPrefix(text: string, textBytes: number, maxBytes: number): Part {
  if (textBytes <= maxBytes) return { units: text.length, bytes: textBytes };
  // ASCII only: one byte a unit.
  if (textBytes === text.length) return { units: maxBytes, bytes: maxBytes };
  let units = 0;
  let bytes = 0;
  // A unit has at most 3 bytes, so a third of the room always fits: counting such pieces is several times faster than
  // looking at each character, and the last few characters are looked at one by one.
  for (;;) {
    const step = Math.floor((maxBytes - bytes) / 3);
    if (step < 16) break;
    const end = isHighSurrogate(text.charCodeAt(units + step - 1)) ? units + step - 1 : units + step;
    bytes += byteLength(text.slice(units, end));
    units = end;
  }
  for (;;) {
    const codePoint = text.codePointAt(units);
    if (codePoint === undefined) break;
    const width = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    if (bytes + width > maxBytes) break;
    bytes += width;
    units += width === 4 ? 2 : 1;
  }
  return { units, bytes };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
