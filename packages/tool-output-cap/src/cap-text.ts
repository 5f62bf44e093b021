import { cutText, type Remains } from "./cut-text.js";
import { type Count, cutToTokens } from "./cut-to-tokens.js";
import { describeFault } from "./describe-value.js";
import type { OutputLimit } from "./limits.js";
import { measure, type Piece } from "./piece.js";
import { type CheckedLimit, readLimit } from "./read-limit.js";
import { toWellFormed } from "./to-well-formed.js";
import { type CapOptions, countTokens, readTokenCap, type TokenCap } from "./token-cap.js";
import type { CappedText, Truncation } from "./truncation.js";

/**
 * Brings a text within `limit.maxBytes` UTF-8 bytes, marker included: the longest prefix that fits, two newlines, and the
 * marker. `limit.keep: "tail"` gives the marker, two newlines, and the longest suffix; `"ends"` half of the room to a prefix
 * and half to a suffix, and the marker between them. Where newlines and marker do not fit, `[truncated]` stands for them;
 * below 11 bytes nothing does. A text within the limit comes back as it is. Lone surrogates become U+FFFD either way. A cut
 * text keeps nothing of the original alive.
 *
 * With `limit.maxTokens` the result is also within so many tokens, as `options.counter` counts them, and within 4 bytes for
 * each, whatever it counts. The counter sees at most 12 texts of at most that size; a text that has no more bytes than
 * `maxTokens` is not counted.
 *
 * @throws RangeError where `limit.maxBytes` or `limit.maxTokens` is not an integer from 1 to 2,147,483,647, `limit.keep` is
 * none of the three, or nobody counts the tokens; TypeError for a text that is not a string or a limit that is not an object.
 * It never throws for a string.
 */
export function capText(text: string, limit: OutputLimit, options: CapOptions = {}): CappedText {
  checkText(text);
  const checked = readLimit(limit, "limit");
  return capChecked(text, checked, readTokenCap(checked, options));
}

/** What an earlier cut left of a text, and the record that says so. */
export interface EarlierCut extends Remains {
  readonly truncation: Truncation;
}

/** `capText` with a limit that has been read, of a text that may have been cut before. */
export function capChecked(
  text: string,
  { maxBytes, keep }: CheckedLimit,
  tokenCap: TokenCap | undefined,
  readEarlierCut?: (whole: Piece) => EarlierCut | undefined,
): CappedText {
  const certainBytes = tokenCap?.certainBytes ?? maxBytes;
  // A UTF-16 unit has at most 3 bytes, so a small text needs no count.
  if (text.length * 3 <= certainBytes && text.isWellFormed()) return { text };
  const whole = measure(text);
  const isSmall = whole.bytes <= certainBytes;
  if (isSmall && text.isWellFormed()) return { text };
  const cut = readEarlierCut?.(whole);
  const count = isSmall || !tokenCap ? undefined : countWhole(whole, cut, tokenCap);
  if (isSmall || (count && tokenCap && count.tokens <= tokenCap.maxTokens)) {
    return { text: toWellFormed(text), ...(cut && { truncation: cut.truncation }) };
  }
  const remains = cut ?? { start: whole, end: whole, truncation: { originalBytes: whole.bytes, keep } };
  return tokenCap ? cutToTokens(remains, tokenCap, count) : cutText(remains, maxBytes);
}

/** The tokens of a text that is not too big to be counted. */
function countWhole({ text, bytes }: Piece, cut: EarlierCut | undefined, tokenCap: TokenCap): Count | undefined {
  if (bytes > tokenCap.ceilingBytes) return undefined;
  const { maxTokens } = cut?.truncation.tokens ?? {};
  if (maxTokens !== undefined) {
    // What a cut left is not counted again where the limit is no lower: a counter that learns changes its mind. Where it is lower,
    // the text is cut as its original would be.
    return maxTokens <= tokenCap.maxTokens ? { tokens: maxTokens, bytes } : undefined;
  }
  return { tokens: countTokens(tokenCap.counter, toWellFormed(text), bytes), bytes };
}

/** Throws unless the value is a string. */
export function checkText(text: unknown): void {
  if (typeof text !== "string") throw new TypeError(describeFault("text", "a string", text, "String(value)"));
}
