import { bytesBudget, type LimitedResult } from "./budget.js";
import { measureMessage } from "./message-size.js";
import { renderToolResult, type ToolResult } from "./messages.js";
import type { Excess } from "./request-size.js";
import { limitFor } from "./tool-limit.js";
import { fitBatch } from "./turn-budget.js";
import { sizeOf, type WorkerState } from "./worker-state.js";

/** The last resort, in UTF-8 bytes of what the model receives of each result. */
const LEAST_RESULT_BYTES = 1_024;
const MAX_TIMES = 2;

/** What was done to a batch, in UTF-8 bytes of what the model receives of it. */
export interface Recapped {
  readonly fromBytes: number;
  readonly toBytes: number;
  /** Those that are smaller now. */
  readonly lowered: readonly ToolResult[];
}

/**
 * Makes the newest batch smaller, as long as no provider has accepted it, because the request is too large: the first time
 * to half of what the limit leaves and at most half of what it was, the second time to 1,024 bytes a result, or to half of
 * what it was where none has more. Undefined where that makes nothing smaller.
 */
export function recapBatch(worker: WorkerState, excess: Excess, time: number): Recapped | undefined {
  if (time > MAX_TIMES) return undefined;
  const before = worker.history.newestResults;
  const fromBytes = countBytes(before);
  const batch = before.map((result) => ({ result, limit: limitFor(worker.setup.limits, result.toolName) }));
  const fitted =
    time === 1 ? fitBatch(batch, [bytesBudget(chooseBudget(worker, excess, before))]) : fitEach(batch, fromBytes);
  const after = fitted.map(({ result }) => result);
  const toBytes = countBytes(after);
  if (toBytes >= fromBytes) return undefined;
  worker.history.replaceNewestResults(Object.freeze(after));
  return { fromBytes, toBytes, lowered: after.filter((result, index) => result !== before[index]) };
}

function fitEach(batch: readonly LimitedResult[], batchBytes: number): readonly LimitedResult[] {
  const after = batch.flatMap((limited) => fitBatch([limited], [bytesBudget(LEAST_RESULT_BYTES)]));
  const isSmaller = countBytes(after.map(({ result }) => result)) < batchBytes;
  return isSmaller ? after : fitBatch(batch, [bytesBudget(Math.floor(batchBytes / 2))]);
}

/**
 * Half of what the limit leaves for the batch, and at most half of what it was. Where the provider asks for more tokens than
 * estimated, the batch has them: what stands before it was in a report already.
 */
function chooseBudget(worker: WorkerState, excess: Excess, results: readonly ToolResult[]): number {
  const batchBytes = countBytes(results);
  const half = Math.floor(batchBytes / 2);
  const { inputTokenLimit, cachedInputTokens } = excess;
  if (inputTokenLimit === undefined) return half;
  const size = sizeOf(worker);
  // Base64 in a batch is counted apart from its text.
  const batch = measureMessage({ role: "tool", results });
  const withoutBatch = worker.estimator.estimate({
    ...size,
    textBytes: size.textBytes - batch.textBytes,
    opaqueBytes: size.opaqueBytes - batch.opaqueBytes,
  });
  const inputTokens = excess.inputTokens + cachedInputTokens;
  const share = Math.min(1, inputTokens / worker.estimator.estimate(size));
  const others = Math.max(0, withoutBatch * share - cachedInputTokens);
  // A request that fills the limit would be the last one: the next turn only adds to it.
  const left = Math.max(0, inputTokenLimit - others) / 2;
  return Math.min(half, Math.floor((left * batchBytes) / (excess.inputTokens - others)));
}

function countBytes(results: readonly ToolResult[]): number {
  return results.reduce((total, result) => total + Buffer.byteLength(renderToolResult(result)), 0);
}
