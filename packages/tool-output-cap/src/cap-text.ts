import { byteLength } from "#byte-length";
import { describeValue } from "./describe-value.js";
import { fitPrefix, type Prefix } from "./fit-prefix.js";
import { type OutputLimit, readMaxBytes } from "./limits.js";
import { formatSuffix } from "./marker.js";

/** What a cut did, in UTF-8 bytes of the well-formed text. It is the truth; the marker is prose. */
export interface Truncation {
  /** The limit that the text was cut to. */
  readonly maxBytes: number;
  /** The text before any cut. */
  readonly originalBytes: number;
  /** What stays of it. */
  readonly keptBytes: number;
  /** What went: `originalBytes - keptBytes`. */
  readonly droppedBytes: number;
  /** Set where not the tool's own limit but the budget of a batch made the cut. A budget may leave 0 bytes, and no text. */
  readonly reason?: "turn-budget";
}

/** A text within its limit; `truncation` is there exactly where it was cut. */
export interface CappedText {
  readonly text: string;
  readonly truncation?: Truncation;
}

/**
 * Brings a text within `limit.maxBytes` UTF-8 bytes, marker included: the longest prefix that fits, two newlines, and the
 * marker. Where newlines and marker do not fit, `[truncated]` stands for them; below 11 bytes nothing does. A text within
 * the limit comes back as it is. Lone surrogates become U+FFFD either way. A cut text keeps nothing of the original alive.
 *
 * @throws RangeError where `limit.maxBytes` is not an integer from 1 to 2,147,483,647; TypeError for a text that is not a
 * string or a limit that is not an object. It never throws for a string.
 */
export function capText(text: string, limit: OutputLimit): CappedText {
  if (typeof text !== "string") {
    throw new TypeError(`text: expected a string, received ${describeValue(text)}. Write: String(value)`);
  }
  const maxBytes = readMaxBytes(limit, "limit");
  // A UTF-16 unit has at most 3 bytes, so a small text needs no count.
  if (text.length * 3 <= maxBytes) return { text: toWellFormed(text) };
  const bytes = byteLength(text);
  if (bytes <= maxBytes) return { text: toWellFormed(text) };
  return cutText(text, bytes, bytes, maxBytes);
}

/**
 * Cuts a text that is too big with what follows it. `originalBytes` is more than `textBytes` where the text is what an
 * earlier cut kept.
 */
export function cutText(text: string, textBytes: number, originalBytes: number, maxBytes: number): CappedText {
  // N, the dropped bytes in the marker, is known only after the cut, and its digits take room. Start from the smallest N that there can be, cut, and cut
  // again if N gained a digit: two rounds at most. (A forged record may claim an original that would have fitted.)
  let suffix = formatSuffix(originalBytes, Math.max(0, originalBytes - maxBytes), maxBytes);
  let kept: Prefix;
  let droppedBytes: number;
  do {
    kept = fitPrefix(text, textBytes, maxBytes - suffix.length);
    droppedBytes = originalBytes - kept.bytes;
    suffix = formatSuffix(originalBytes, droppedBytes, maxBytes);
  } while (kept.bytes + suffix.length > maxBytes);
  return {
    text: joinWithoutParent(text.slice(0, kept.units), suffix),
    truncation: { maxBytes, originalBytes, keptBytes: kept.bytes, droppedBytes },
  };
}

/** A new string that shares no memory with `kept`: V8 keeps the parent of a slice, of `+` and of a template alive. */
function joinWithoutParent(kept: string, suffix: string): string {
  return [toWellFormed(kept), suffix].join("");
}

/** Checking is several times faster than converting. */
function toWellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
