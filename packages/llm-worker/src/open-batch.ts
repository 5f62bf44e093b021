import { closeBatch } from "./close-batch.js";
import { emitResults } from "./events.js";
import { executeBatch } from "./execute-batch.js";
import type { RunOutcome } from "./run-worker.js";
import type { FinishedBatch } from "./turn-budget.js";
import type { WorkerState } from "./worker-state.js";

/** Executes what is left of the open batch. No outcome: the loop goes on. */
export async function executeOpenBatch(worker: WorkerState, signal: AbortSignal): Promise<RunOutcome | undefined> {
  const { history, setup, journal } = worker;
  if (history.open === undefined) return undefined;
  const outcome = await executeBatch(history.open.batch, setup, journal, signal);
  if (outcome.type === "paused") return outcome;
  await enterHistory(outcome, worker);
  if (outcome.abortReason !== undefined) return { type: "aborted", reason: outcome.abortReason };
  return signal.aborted ? { type: "cancelled" } : undefined;
}

/** Closes the open batch, if there is one, without running any call of it. */
export async function closeOpenBatch(worker: WorkerState): Promise<void> {
  const { history, setup, journal } = worker;
  if (history.open !== undefined) await enterHistory(await closeBatch(history.open.batch, setup, journal), worker);
}

// History first: whatever the log does, no call is left without its result.
async function enterHistory(
  { results, lowered }: FinishedBatch,
  { history, setup, journal }: WorkerState,
): Promise<void> {
  history.close(results);
  emitResults(results, setup.emit);
  await journal.append({ type: "batch-finished", lowered });
}
