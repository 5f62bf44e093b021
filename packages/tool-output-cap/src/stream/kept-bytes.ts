import { cutText } from "../cut-text.js";
import type { Keep } from "../limits.js";
import type { Piece } from "../piece.js";
import type { CappedText } from "../truncation.js";
import { RingBytes } from "./ring-bytes.js";
import { decodeUtf8 } from "./utf8-codec.js";
import type { Utf8Sink } from "./utf8-joiner.js";
import { countOpenBytes, isContinuation } from "./utf8-sequences.js";

/** What a cut may need of a text that is still being written: its first bytes, its last ones, or both, and the count of all. */
export class KeptBytes implements Utf8Sink {
  readonly #maxBytes: number;
  readonly #keep: Keep;
  readonly #first: RingBytes;
  readonly #last: RingBytes;
  #totalBytes = 0;

  constructor(maxBytes: number, keep: Keep) {
    this.#maxBytes = maxBytes;
    this.#keep = keep;
    // A prefix or suffix of `maxBytes` holds the longest one that fits beside any marker, and the whole text where it fits.
    this.#first = new RingBytes(keep === "tail" ? 0 : maxBytes);
    this.#last = new RingBytes(keep === "head" ? 0 : maxBytes);
  }

  get isFull(): boolean {
    return this.#keep === "head" && this.#totalBytes >= this.#maxBytes;
  }

  count(bytes: number): void {
    this.#totalBytes += bytes;
  }

  push(bytes: Uint8Array): void {
    const room = this.#maxBytes - this.#totalBytes;
    if (room > 0) this.#first.push(bytes.subarray(0, room));
    this.#last.push(bytes);
    this.#totalBytes += bytes.length;
  }

  /** What `capText` would give for all that was pushed. */
  toCappedText(): CappedText {
    const first = this.#first.read();
    const last = this.#last.read();
    if (this.#totalBytes <= this.#maxBytes) return { text: decodeUtf8(this.#keep === "tail" ? last : first) };
    const start = toPiece(first.subarray(0, first.length - countOpenBytes(first)));
    const end = toPiece(last.subarray(countContinuations(last)));
    return cutText({ start, end, truncation: { originalBytes: this.#totalBytes, keep: this.#keep } }, this.#maxBytes);
  }
}

function toPiece(bytes: Uint8Array): Piece {
  return { text: decodeUtf8(bytes), bytes: bytes.length };
}

/** How many bytes at the beginning belong to a sequence that begins before them: 0 to 3. */
function countContinuations(bytes: Uint8Array): number {
  let count = 0;
  while (isContinuation(bytes[count])) count++;
  return count;
}
