/** What {@link capNaively} says of a text; the numbers are UTF-8 bytes. */
export interface NaiveCappedText {
  readonly text: string;
  readonly truncation?: {
    readonly maxBytes: number;
    readonly originalBytes: number;
    readonly keptBytes: number;
    readonly droppedBytes: number;
  };
}

/**
 * The cap as a child would do it: try every prefix, from the longest to none, with each form of the marker in turn. It
 * shares no code and no trick with a real one, and is far too slow to be one. `droppedBefore` is what an earlier cut
 * dropped from the end of the text, in UTF-8 bytes.
 */
export function capNaively(text: string, maxBytes: number, droppedBefore = 0): NaiveCappedText {
  const characters = splitWellFormed(text);
  const textBytes = countCharacters(characters);
  if (droppedBefore === 0 && textBytes <= maxBytes) return { text: characters.join("") };

  for (const formatEnd of [formatLongEnd, formatShortEnd, formatNoEnd]) {
    let keptBytes = textBytes;
    for (let kept = characters.length; kept >= 0; kept--) {
      const droppedBytes = droppedBefore + textBytes - keptBytes;
      if (droppedBytes > 0 && keptBytes <= maxBytes) {
        const end = formatEnd(droppedBytes);
        if (keptBytes + countUtf8Bytes(end) <= maxBytes) {
          return {
            text: characters.slice(0, kept).join("") + end,
            truncation: { maxBytes, originalBytes: textBytes + droppedBefore, keptBytes, droppedBytes },
          };
        }
      }
      keptBytes -= countCharacter(characters[kept - 1] ?? "");
    }
  }
  throw new RangeError(`maxBytes: expected an integer from 1, received ${maxBytes}. Write: 1`);
}

/** UTF-8 bytes of a text, one code point after the other; a lone surrogate counts as U+FFFD. */
export function countUtf8Bytes(text: string): number {
  return countCharacters(splitWellFormed(text));
}

/** The code points of a text, each as a string, with U+FFFD for each lone surrogate. */
export function splitWellFormed(text: string): string[] {
  const characters: string[] = [];
  for (const character of text) {
    const isLoneSurrogate = character >= "\uD800" && character <= "\uDFFF" && character.length === 1;
    characters.push(isLoneSurrogate ? "\uFFFD" : character);
  }
  return characters;
}

function formatLongEnd(droppedBytes: number): string {
  return `\n\n[truncated: ${droppedBytes} bytes dropped, refine your query]`;
}

function formatShortEnd(): string {
  return "[truncated]";
}

function formatNoEnd(): string {
  return "";
}

function countCharacters(characters: readonly string[]): number {
  let bytes = 0;
  for (const character of characters) bytes += countCharacter(character);
  return bytes;
}

function countCharacter(character: string): number {
  const codePoint = character.codePointAt(0);
  return codePoint === undefined ? 0 : encodeCodePoint(codePoint).length;
}

function encodeCodePoint(codePoint: number): number[] {
  if (codePoint < 0x80) return [codePoint];
  if (codePoint < 0x800) return [0xc0 | (codePoint >> 6), 0x80 | (codePoint & 0x3f)];
  if (codePoint < 0x10000) {
    return [0xe0 | (codePoint >> 12), 0x80 | ((codePoint >> 6) & 0x3f), 0x80 | (codePoint & 0x3f)];
  }
  return [
    0xf0 | (codePoint >> 18),
    0x80 | ((codePoint >> 12) & 0x3f),
    0x80 | ((codePoint >> 6) & 0x3f),
    0x80 | (codePoint & 0x3f),
  ];
}
