import { byteLength } from "#byte-length";
import { capText } from "./cap-text.js";
import { capToolResult, checkResult, readContent, readTruncation, withContent } from "./cap-tool-result.js";
import { cutText } from "./cut-text.js";
import { describeValue } from "./describe-value.js";
import { type OutputLimit, readKeep, readMaxBytes } from "./limits.js";
import { type EarlierCut, matchTruncation, readCut } from "./match-truncation.js";
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
): R {
  checkResult(result);
  if (typeof text !== "string") {
    throw new TypeError(`text: expected a string, received ${describeValue(text)}. Write: String(value)`);
  }
  if (text === "") return capToolResult(result, limit);
  const checked = { maxBytes: readMaxBytes(limit, "limit"), keep: readKeep(limit, "limit") ?? "head" };
  const content = readContent(result);
  const record = readTruncation(result);
  const cut = content === undefined ? readRemoval(record) : readCut(content, byteLength(content), record);
  return withContent(result, prependToCut(text, cut, checked.maxBytes) ?? capText(join(text, content ?? ""), checked));
}

/** What a turn budget left of a content that it removed: nothing. */
function readRemoval(record: unknown): EarlierCut | undefined {
  const truncation = matchTruncation(undefined, record);
  if (truncation === undefined) return undefined;
  const remains = { start: "", startBytes: 0, end: "", endBytes: 0, originalBytes: truncation.originalBytes };
  return { truncation: { ...truncation, keep: "head" }, remains };
}

function prependToCut(text: string, cut: EarlierCut | undefined, maxBytes: number): CappedText | undefined {
  if (cut === undefined) return undefined;
  const { truncation: earlier, remains } = cut;
  const start = join(text, remains.start);
  const startBytes = byteLength(start);
  const originalBytes = remains.originalBytes + (startBytes - remains.startBytes);
  // A forged record may claim the largest number there is.
  if (!Number.isSafeInteger(originalBytes)) return undefined;
  // Where the marker stands between two ends is told from the limit of the cut, which therefore cannot rise.
  const newMaxBytes = earlier.keep === "ends" ? Math.min(maxBytes, earlier.maxBytes) : maxBytes;
  const capped = cutText({ ...remains, start, startBytes, originalBytes }, newMaxBytes, earlier.keep);
  const hasReason = earlier.reason !== undefined && capped.truncation?.droppedBytes === earlier.droppedBytes;
  return hasReason ? { ...capped, truncation: { ...capped.truncation, reason: earlier.reason } } : capped;
}

/** Flat: a concatenation would keep both texts in memory, and what they are slices of. */
function join(text: string, content: string): string {
  return [text, content].join("");
}
