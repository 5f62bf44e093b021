import type { ToolOutputLimits } from "@pod/tool-output-cap";
import { type Budget, bytesBudget, type LimitedResult, measureReceived, tokensBudget } from "./budget.js";
import type { ToolResult } from "./messages.js";
import { shareRoom } from "./share-room.js";
import { makeToolResult, moveLongSummary } from "./tool-result.js";

/** A batch every call of which has its result. */
export interface FinishedBatch {
  /** One per call, in call order. */
  readonly results: readonly ToolResult[];
  /** Those that the budget of the batch made smaller. */
  readonly lowered: readonly ToolResult[];
}

/** A character takes up to 4 bytes; beside a note, which may take a quarter of the share and a newline, it needs 6. */
const LEAST_CONTENT_SHARE = 6;

/** Brings the results of a batch within its budgets, where it has any. */
export function finishBatch(batch: readonly LimitedResult[], limits: ToolOutputLimits): FinishedBatch {
  const { turnMaxBytes, turnMaxTokens } = limits;
  const budgets = [
    ...(turnMaxBytes === undefined ? [] : [bytesBudget(turnMaxBytes)]),
    ...(turnMaxTokens === undefined ? [] : [tokensBudget(turnMaxTokens)]),
  ];
  const results = fitBatch(batch, budgets).map(({ result }) => result);
  return {
    results: Object.freeze(results),
    lowered: results.filter((result, index) => result !== batch[index]?.result),
  };
}

/**
 * The results of a batch, in call order, within budgets of what the model receives of all of them. Summaries come first;
 * where they alone are too much, the long ones are moved into content. What they leave is shared by the contents: small
 * ones stay whole, the large ones are cut to one level. Where the summaries alone exceed the budget, they are all that is
 * left. What needs no cut comes back as the very same object.
 */
export function fitBatch(batch: readonly LimitedResult[], budgets: readonly Budget[]): readonly LimitedResult[] {
  const cut = budgets.reduce(cutBatch, batch);
  // What the summaries are depends on the cut: a derived one counts where its content is gone. To move them adds a line of
  // each, so that it comes before the cuts in every unit.
  return budgets.every((budget) => fits(cut, budget)) ? cut : budgets.reduce(cutBatch, batch.map(moveSummary));
}

function fits(batch: readonly LimitedResult[], budget: Budget): boolean {
  return sum(batch.map((limited) => measureReceived(limited, budget))) <= budget.most;
}

function cutBatch(batch: readonly LimitedResult[], budget: Budget): readonly LimitedResult[] {
  if (fits(batch, budget)) return batch;
  const shares = shareBatch(batch, budget);
  return batch.map((limited, index) => {
    const { result, limit } = limited;
    const share = shares[index] ?? 0;
    if (measureBody(limited, budget) <= share) return limited;
    // A cut in the other unit keeps to this one, too.
    const shared = budget.share(limit, share);
    return { result: makeToolResult(result, shared, "turn-budget"), limit: shared };
  });
}

function moveSummary({ result, limit }: LimitedResult): LimitedResult {
  return { result: moveLongSummary(result, limit), limit };
}

/** What each result may have after its summary. */
function shareBatch(batch: readonly LimitedResult[], budget: Budget): readonly number[] {
  let sizes = batch.map((limited) => measureBody(limited, budget));
  for (;;) {
    const taken = sum(batch.map((limited, index) => measureBefore(limited, sizes[index] ?? 0, budget)));
    const shares = shareRoom(sizes, budget.most - taken);
    // A content without a summary of its own that would keep no character gives way to its derived summary.
    const kept = sizes.map((size, index) => (isTooLittle(batch[index], size, shares[index] ?? 0) ? 0 : size));
    if (kept.every((size, index) => size === sizes[index])) return shares;
    sizes = kept;
  }
}

function isTooLittle(limited: LimitedResult | undefined, size: number, share: number): boolean {
  return limited !== undefined && standsAlone(limited.result) && share < Math.min(size, LEAST_CONTENT_SHARE);
}

/** What the model receives of a result before so much of content and note: summary and newline, where it does. */
function measureBefore({ result, limit }: LimitedResult, size: number, { measure }: Budget): number {
  const summary = measure(result.summary, limit);
  if (size === 0) return summary;
  return standsAlone(result) ? 0 : summary + 1;
}

/** Content and note: whatever the model receives after the summary. */
function measureBody(limited: LimitedResult, budget: Budget): number {
  const { result, limit } = limited;
  if (!result.content && !result.note) return 0;
  return measureReceived(limited, budget) - (standsAlone(result) ? 0 : budget.measure(result.summary, limit) + 1);
}

/** Whether the model receives the content without the summary: not where a limit below its first character emptied it. */
function standsAlone({ summaryIsDerived, content }: ToolResult): boolean {
  return summaryIsDerived === true && content !== undefined && content !== "";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
