import { resolveLimit } from "@pod/tool-output-cap";
import { measureMessage } from "./message-size.js";
import type { ToolResult } from "./messages.js";
import type { Excess } from "./request-size.js";
import { fitBatch, receivedBytes } from "./turn-budget.js";
import { sizeOf, type WorkerState } from "./worker-state.js";

/** The last resort, in UTF-8 bytes of what the model receives of each result. */
const LEAST_RESULT_BYTES = 1_024;

/** What was done to a batch, in UTF-8 bytes of what the model receives of it. */
export interface Recapped {
  readonly fromBytes: number;
  readonly toBytes: number;
  /** Those that are smaller now. */
  readonly lowered: readonly ToolResult[];
}

/**
 * Makes the newest batch smaller, as long as no provider has accepted it, because the request is too large: the first time
 * to half of what the limit leaves and at most half of what it was, the second time to 1,024 bytes a result. Undefined
 * where that makes nothing smaller.
 */
export function recapBatch(worker: WorkerState, excess: Excess, time: number): Recapped | undefined {
  const before = worker.history.newestResults;
  const fromBytes = countBytes(before);
  const batch = before.map((result) => ({ result, limit: resolveLimit(worker.setup.limits, result.toolName) }));
  const after =
    time === 1
      ? fitBatch(batch, chooseBudget(worker, excess, fromBytes))
      : batch.flatMap((limited) => fitBatch([limited], LEAST_RESULT_BYTES));
  const toBytes = countBytes(after);
  if (toBytes >= fromBytes) return undefined;
  worker.history.replaceNewestResults(Object.freeze(after));
  return { fromBytes, toBytes, lowered: after.filter((result, index) => result !== before[index]) };
}

function chooseBudget(worker: WorkerState, { inputTokens, inputTokenLimit }: Excess, batchBytes: number): number {
  const half = Math.floor(batchBytes / 2);
  if (inputTokenLimit === undefined) return half;
  const size = sizeOf(worker);
  const { estimator, history } = worker;
  // Base64 in a batch is counted apart from its text.
  const batch = measureMessage({ role: "tool", results: history.newestResults });
  const withoutBatch = {
    ...size,
    textBytes: size.textBytes - batch.textBytes,
    opaqueBytes: size.opaqueBytes - batch.opaqueBytes,
  };
  const batchTokens = estimator.estimate(size) - estimator.estimate(withoutBatch);
  // A request that fills the limit would be the last one: the next turn only adds to it.
  const left = (inputTokenLimit - (inputTokens - batchTokens)) / 2;
  return Math.min(half, estimator.bytesFor(left));
}

function countBytes(results: readonly ToolResult[]): number {
  return results.reduce((total, result) => total + receivedBytes(result), 0);
}
