import { capChecked, checkText, type EarlierCut } from "./cap-text.js";
import { capToolResult, readContent, readTruncation, withContent } from "./cap-tool-result.js";
import { cutText } from "./cut-text.js";
import { cutToTokens } from "./cut-to-tokens.js";
import type { OutputLimit } from "./limits.js";
import { matchRemoval, readCut } from "./match-truncation.js";
import { measure } from "./piece.js";
import { type CheckedLimit, readLimit } from "./read-limit.js";
import { type CapOptions, readTokenCap, type TokenCap } from "./token-cap.js";
import type { CappedText, Truncation } from "./truncation.js";

/**
 * Puts a text in front of the `content` of a tool result, as if it had been there before any cut, and caps: where the
 * result was cut at this limit, the outcome is that of capping text and original content together. Exactly the text is put
 * there, without a newline. A record that does not match is dropped, and the content taken as it is. Of a content that was removed,
 * the text and the marker stand for it. An empty text means `capToolResult`.
 *
 * @throws what `capToolResult` throws, and TypeError for a text that is not a string.
 */
export function prependContent<R extends { content?: string; truncation?: Truncation }>(
  result: R,
  text: string,
  limit: OutputLimit,
  options: CapOptions = {},
): R {
  checkText(text);
  if (text === "") return capToolResult(result, limit, options);
  const content = readContent(result);
  const checked = readLimit(limit, "limit");
  const tokenCap = readTokenCap(checked, options);
  const record = readTruncation(result);
  const cut = content === undefined ? readRemoval(record) : readCut(measure(content), record);
  const capped =
    (cut && prependToCut(text, cut, checked, tokenCap)) ?? capChecked(join(text, content ?? ""), checked, tokenCap);
  return withContent(result, capped);
}

/** What a turn budget left of a content that it removed: nothing. */
function readRemoval(record: unknown): EarlierCut | undefined {
  const removal = matchRemoval(record);
  if (removal === undefined) return undefined;
  const nothing = { text: "", bytes: 0 };
  return { truncation: { ...removal, keep: "head" }, start: nothing, end: nothing };
}

function prependToCut(
  text: string,
  { truncation, start, end }: EarlierCut,
  limit: CheckedLimit,
  tokenCap: TokenCap | undefined,
): CappedText | undefined {
  const newStart = measure(join(text, start.text));
  const originalBytes = truncation.originalBytes + (newStart.bytes - start.bytes);
  // A forged record may claim the largest number there is.
  if (!Number.isSafeInteger(originalBytes)) return undefined;
  const { keep, reason, droppedBytes } = truncation;
  const remains = { start: newStart, end, truncation: { originalBytes, keep } };
  // Where the marker stands between two ends is told from the limit of the cut, which therefore cannot rise.
  const maxBytes = keep === "ends" ? Math.min(limit.maxBytes, truncation.maxBytes) : limit.maxBytes;
  const capped = tokenCap ? cutToTokens(remains, tokenCap, undefined) : cutText(remains, maxBytes);
  const sameCut = reason && capped.truncation.droppedBytes === droppedBytes;
  return sameCut ? { ...capped, truncation: { ...capped.truncation, reason } } : capped;
}

/** Flat: a concatenation would keep both texts in memory, and what they are slices of. */
function join(text: string, content: string): string {
  return [text, content].join("");
}
