import { cutText } from "./cut-text.js";
import { describeFault } from "./describe-value.js";
import { type Keep, type OutputLimit, readKeep, readMaxBytes } from "./limits.js";
import { measure } from "./piece.js";
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
  checkText(text);
  return capChecked(text, readMaxBytes(limit, "limit"), readKeep(limit, "limit"));
}

/** `capText` with a limit that has been read. */
export function capChecked(text: string, maxBytes: number, keep: Keep | undefined): CappedText {
  // A UTF-16 unit has at most 3 bytes, so a small text needs no count.
  if (text.length * 3 <= maxBytes) return { text: toWellFormed(text) };
  const whole = measure(text);
  if (whole.bytes <= maxBytes) return { text: toWellFormed(text) };
  return cutText(whole, whole, whole.bytes, maxBytes, keep);
}

/** Throws unless the value is a string. */
export function checkText(text: unknown): void {
  if (typeof text !== "string") throw new TypeError(describeFault("text", "a string", text, "String(value)"));
}
