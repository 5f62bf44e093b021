import { byteLength } from "#byte-length";
import { cutText } from "./cut-text.js";
import { describeValue } from "./describe-value.js";
import { type OutputLimit, readKeep, readMaxBytes } from "./limits.js";
import { toWellFormed } from "./to-well-formed.js";
import type { CappedText } from "./truncation.js";

/**
 * Brings a text within `limit.maxBytes` UTF-8 bytes, marker included: the longest prefix that fits, two newlines, and the
 * marker. `limit.keep: "tail"` gives the marker, two newlines, and the longest suffix; `"ends"` half of the room to a prefix
 * and half to a suffix, and the marker between them. Where newlines and marker do not fit, `[truncated]` stands for them;
 * below 11 bytes nothing does. A text within the limit comes back as it is. Lone surrogates become U+FFFD either way. A cut
 * text keeps nothing of the original alive.
 *
 * @throws RangeError where `limit.maxBytes` is not an integer from 1 to 2,147,483,647, or `limit.keep` is none of the three;
 * TypeError for a text that is not a string or a limit that is not an object. It never throws for a string.
 */
export function capText(text: string, limit: OutputLimit): CappedText {
  if (typeof text !== "string") {
    throw new TypeError(`text: expected a string, received ${describeValue(text)}. Write: String(value)`);
  }
  const maxBytes = readMaxBytes(limit, "limit");
  const keep = readKeep(limit, "limit");
  // A UTF-16 unit has at most 3 bytes, so a small text needs no count.
  if (text.length * 3 <= maxBytes) return { text: toWellFormed(text) };
  const bytes = byteLength(text);
  if (bytes <= maxBytes) return { text: toWellFormed(text) };
  return cutText({ start: text, startBytes: bytes, end: text, endBytes: bytes, originalBytes: bytes }, maxBytes, keep);
}
