import type { Batch } from "./batch.js";
import type { LimitedResult } from "./budget.js";
import { draftError, OUTCOME_UNKNOWN } from "./draft.js";
import { finishedOf } from "./execute-batch.js";
import { type ExecutionSetup, limitOf } from "./execution-setup.js";
import type { Journal } from "./journal.js";
import { makeToolResult } from "./tool-result.js";
import { type FinishedBatch, finishBatch } from "./turn-budget.js";

const NOT_RUN = "not run: the session went on without this call";

/** Gives every call of a batch its result, and runs none: one that had started may have run or not. */
export async function closeBatch(batch: Batch, setup: ExecutionSetup, journal: Journal): Promise<FinishedBatch> {
  const limited: LimitedResult[] = [];
  for (const call of batch.calls) {
    const finished = finishedOf(call, batch, setup);
    if (finished !== undefined) {
      limited.push(finished);
      continue;
    }
    const limit = limitOf(call, call, setup.limits);
    const text = batch.started.has(call.toolCallId) ? OUTCOME_UNKNOWN : NOT_RUN;
    const result = makeToolResult(draftError(call, text), limit);
    await journal.append({ type: "call-finished", result });
    limited.push({ result, limit });
  }
  return finishBatch(limited, setup.limits);
}
