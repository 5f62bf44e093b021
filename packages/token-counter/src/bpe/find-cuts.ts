/** The most UTF-8 bytes of an unbroken run that a tokenizer is given at once: its work grows with their square. */
const PIECE_BYTES = 1_024;

// Bits, so that a set of kinds is a number.
const LETTER = 1;
const MARK = 2;
const OTHER = 4;
const SLASH = 8;
const NEWLINE = 16;
const SPACE = 32;
const NUMBER = 64;

/**
 * Kinds that can follow a kind within one word of o200k_base or cl100k_base, a word being what their patterns split a text
 * into. Besides, a word has one character before and three after such a run, and at most three digits.
 */
const FOLLOWERS: Readonly<Record<number, number>> = {
  [LETTER]: LETTER | MARK,
  [MARK]: LETTER | MARK | OTHER | SLASH | NEWLINE,
  [OTHER]: MARK | OTHER | SLASH | NEWLINE,
  [SLASH]: MARK | OTHER | SLASH | NEWLINE,
  [NEWLINE]: NEWLINE | SLASH | SPACE,
  [SPACE]: SPACE | NEWLINE,
  [NUMBER]: 0,
};

/**
 * Where unbroken runs of more than 1 KB are cut, in code units from the beginning, never inside of a code point: a run, which
 * is what could be one word, is cut after every 1,024 bytes at most. The text has to be well-formed.
 */
export function findCuts(text: string): readonly number[] {
  const cuts: number[] = [];
  let followers = 0;
  let pieceBytes = 0;
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at) ?? 0;
    const kind = codePoint < UNITS ? kindOfUnit(codePoint) : classify(String.fromCodePoint(codePoint));
    const bytes = countBytes(codePoint);
    if ((followers & kind) === 0) pieceBytes = 0;
    else if (pieceBytes + bytes > PIECE_BYTES) {
      cuts.push(at);
      pieceBytes = 0;
    }
    pieceBytes += bytes;
    followers = FOLLOWERS[kind] ?? 0;
    at += codePoint < UNITS ? 1 : 2;
  }
  return cuts;
}

const UNITS = 0x1_0000;
/** Kinds of code units that were met, else 0. */
const kinds = new Uint8Array(UNITS);

function kindOfUnit(unit: number): number {
  const known = kinds[unit];
  if (known) return known;
  const kind = classify(String.fromCharCode(unit));
  kinds[unit] = kind;
  return kind;
}

function classify(character: string): number {
  if (/^\p{L}/u.test(character)) return LETTER;
  if (/^\p{M}/u.test(character)) return MARK;
  if (/^\p{N}/u.test(character)) return NUMBER;
  if (/^[\r\n]/.test(character)) return NEWLINE;
  if (/^\s/.test(character)) return SPACE;
  return character === "/" ? SLASH : OTHER;
}

function countBytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < UNITS ? 3 : 4;
}
