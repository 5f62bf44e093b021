import type { OutputLimit, ToolOutputLimits } from "@pod/tool-output-cap";
import { renderToolResult, type ToolResult } from "./messages.js";
import { shareBytes } from "./share-bytes.js";
import { makeToolResult, moveLongSummary } from "./tool-result.js";

/** A result, and the limit of its call. */
export interface LimitedResult {
  readonly result: ToolResult;
  readonly limit: OutputLimit;
}

/** A batch every call of which has its result. */
export interface FinishedBatch {
  /** One per call, in call order. */
  readonly results: readonly ToolResult[];
  /** Those that the budget of the batch made smaller. */
  readonly lowered: readonly ToolResult[];
}

/** A character takes up to 4 bytes; beside a note, which may take a quarter of the share and a newline, it needs 6. */
const LEAST_CONTENT_BYTES = 6;

/** Brings the results of a batch within its budget, where it has one. */
export function finishBatch(batch: readonly LimitedResult[], { turnMaxBytes }: ToolOutputLimits): FinishedBatch {
  const results = turnMaxBytes === undefined ? batch.map(({ result }) => result) : fitBatch(batch, turnMaxBytes);
  return {
    results: Object.freeze(results),
    lowered: results.filter((result, index) => result !== batch[index]?.result),
  };
}

/**
 * The results of a batch, in call order, within a budget: `maxBytes` UTF-8 bytes of what the model receives of all of
 * them. Summaries come first; where they alone are too much, the long ones are moved into content. What they leave is
 * shared by the contents: small ones stay whole, the large ones are cut to one level. Where the summaries alone exceed
 * the budget, they are all that is left. What needs no cut comes back as the very same object.
 */
export function fitBatch(batch: readonly LimitedResult[], maxBytes: number): readonly ToolResult[] {
  const results = batch.map(({ result }) => result);
  if (fits(results, maxBytes)) return results;
  const cut = cutBatch(batch, maxBytes);
  // What the summaries are depends on the cut: a derived one counts where its content is gone.
  return fits(cut, maxBytes) ? cut : cutBatch(batch.map(moveSummary), maxBytes);
}

function fits(results: readonly ToolResult[], maxBytes: number): boolean {
  return sum(results.map(receivedBytes)) <= maxBytes;
}

function cutBatch(batch: readonly LimitedResult[], maxBytes: number): readonly ToolResult[] {
  const shares = shareBatch(
    batch.map(({ result }) => result),
    maxBytes,
  );
  return batch.map(({ result, limit }, index) => {
    const share = shares[index] ?? 0;
    return bodyBytes(result) <= share ? result : makeToolResult(result, { ...limit, maxBytes: share }, "turn-budget");
  });
}

/** UTF-8 bytes of what the model receives of a result. */
export function receivedBytes(result: ToolResult): number {
  return Buffer.byteLength(renderToolResult(result));
}

function moveSummary({ result, limit }: LimitedResult): LimitedResult {
  return { result: moveLongSummary(result, limit), limit };
}

/** What each result may have after its summary. */
function shareBatch(results: readonly ToolResult[], maxBytes: number): readonly number[] {
  let sizes = results.map(bodyBytes);
  for (;;) {
    const taken = sum(results.map((result, index) => bytesBefore(result, sizes[index] ?? 0)));
    const shares = shareBytes(sizes, maxBytes - taken);
    // A content without a summary of its own that would keep no character gives way to its derived summary.
    const kept = sizes.map((size, index) => (isTooLittle(results[index], size, shares[index] ?? 0) ? 0 : size));
    if (kept.every((size, index) => size === sizes[index])) return shares;
    sizes = kept;
  }
}

function isTooLittle(result: ToolResult | undefined, size: number, share: number): boolean {
  return result !== undefined && standsAlone(result) && share < Math.min(size, LEAST_CONTENT_BYTES);
}

/** What the model receives of a result before its `size` bytes of content and note: summary and newline, where it does. */
function bytesBefore(result: ToolResult, size: number): number {
  if (size === 0) return Buffer.byteLength(result.summary);
  return standsAlone(result) ? 0 : Buffer.byteLength(result.summary) + 1;
}

/** Content and note: whatever the model receives after the summary. */
function bodyBytes(result: ToolResult): number {
  if (!result.content && !result.note) return 0;
  return receivedBytes(result) - (standsAlone(result) ? 0 : Buffer.byteLength(result.summary) + 1);
}

/** Whether the model receives the content without the summary: not where a limit below its first character emptied it. */
function standsAlone({ summaryIsDerived, content }: ToolResult): boolean {
  return summaryIsDerived === true && content !== undefined && content !== "";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
