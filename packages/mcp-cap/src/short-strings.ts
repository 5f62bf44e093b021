import { BACKSLASH } from "./json-bytes.js";

/** Names and keys are shorter. */
const MAX_BYTES = 32;
const SLOTS = 1_024;

/** Reads short JSON strings of plain ASCII, and makes each once: the keys in the rows of a table are the same ones. */
export class ShortStrings {
  readonly #known: string[] = Array(SLOTS).fill("");

  /** The string that stands between two quotes; undefined where it is long, or has other characters or escapes. */
  read(bytes: Buffer, start: number, end: number): string | undefined {
    if (end - start > MAX_BYTES) return undefined;
    let hash = 0;
    for (let index = start; index < end; index++) {
      const byte = bytes[index] ?? 0;
      if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return undefined;
      hash = (hash * 31 + byte) | 0;
    }
    const slot = hash & (SLOTS - 1);
    const known = this.#known[slot] ?? "";
    if (isSame(known, bytes, start, end)) return known;
    const text = bytes.toString("latin1", start, end);
    this.#known[slot] = text;
    return text;
  }
}

function isSame(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
