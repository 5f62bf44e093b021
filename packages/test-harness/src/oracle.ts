/** A limit as any implementation may have it, in UTF-8 bytes. Absent `keep` means the head. */
export interface NaiveLimit {
  readonly maxBytes: number;
  readonly keep?: NaiveKeep;
}

/** What a cut keeps. */
export type NaiveKeep = "head" | "tail" | "ends";

/** What {@link capNaively} says of a text; the numbers are UTF-8 bytes. */
export interface NaiveCappedText {
  readonly text: string;
  readonly truncation?: {
    readonly maxBytes: number;
    readonly originalBytes: number;
    readonly keptBytes: number;
    readonly droppedBytes: number;
    readonly keep?: NaiveKeep;
  };
}

/**
 * The cap as a child would do it: try every prefix (or suffix), from the longest to none, with each form of the marker in
 * turn. It shares no code and no trick with a real one, and is far too slow to be one. A bare number is `maxBytes`.
 * `droppedBefore` is what an earlier cut dropped from the end of the text (from its beginning, where the tail is kept), in
 * UTF-8 bytes.
 */
export function capNaively(text: string, limit: NaiveLimit | number, droppedBefore = 0): NaiveCappedText {
  const { maxBytes, keep = "head" } = typeof limit === "number" ? { maxBytes: limit } : limit;
  const characters = splitWellFormed(text);
  const originalBytes = countCharacters(characters) + droppedBefore;
  if (droppedBefore === 0 && originalBytes <= maxBytes) return { text: characters.join("") };

  const room = maxBytes - 50 - String(originalBytes).length;
  const parts =
    keep === "ends" && room >= 1
      ? keepEndsNaively(characters, room)
      : keepOneEndNaively(characters, { maxBytes, keep }, droppedBefore);
  const kept = [...parts.start, ...parts.end];
  const keptBytes = countCharacters(kept);
  const droppedBytes = originalBytes - keptBytes;
  return {
    text: parts.start.join("") + parts.formatGap(droppedBytes) + parts.end.join(""),
    truncation: { maxBytes, originalBytes, keptBytes, droppedBytes, ...(keep !== "head" && { keep }) },
  };
}

interface Parts {
  readonly start: readonly string[];
  readonly end: readonly string[];
  /** What stands between them. */
  formatGap(droppedBytes: number): string;
}

function keepOneEndNaively(characters: readonly string[], limit: Required<NaiveLimit>, droppedBefore: number): Parts {
  const isTail = limit.keep === "tail";
  for (const formatGap of [isTail ? formatLongStart : formatLongEnd, formatShortMarker, formatNoMarker]) {
    let droppedBytes = droppedBefore;
    let keptBytes = countCharacters(characters);
    for (let dropped = 0; dropped <= characters.length; dropped++) {
      const mayFit = droppedBytes > 0 && keptBytes <= limit.maxBytes;
      if (mayFit && keptBytes + countUtf8Bytes(formatGap(droppedBytes)) <= limit.maxBytes) {
        return isTail
          ? { start: [], end: characters.slice(dropped), formatGap }
          : { start: characters.slice(0, characters.length - dropped), end: [], formatGap };
      }
      const next = countCharacter(characters.at(isTail ? dropped : -1 - dropped) ?? "");
      droppedBytes += next;
      keptBytes -= next;
    }
  }
  throw new RangeError(`maxBytes: expected an integer from 1, received ${limit.maxBytes}. Write: 1`);
}

function keepEndsNaively(characters: readonly string[], room: number): Parts {
  const half = Math.floor(room / 2);
  const start = takeWhileTheyFit(characters, half);
  const end = takeWhileTheyFit(characters.toReversed(), room - half).toReversed();
  return { start, end, formatGap: (droppedBytes) => `${formatLongEnd(droppedBytes)}\n\n` };
}

function takeWhileTheyFit(characters: readonly string[], maxBytes: number): readonly string[] {
  let takenBytes = 0;
  const end = characters.findIndex((character) => {
    takenBytes += countCharacter(character);
    return takenBytes > maxBytes;
  });
  return end === -1 ? characters : characters.slice(0, end);
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

function formatLongStart(droppedBytes: number): string {
  return `[truncated: ${droppedBytes} bytes dropped, refine your query]\n\n`;
}

function formatShortMarker(): string {
  return "[truncated]";
}

function formatNoMarker(): string {
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
