import { newBatch } from "./batch.js";
import { BatchAbortedError } from "./batch-aborted-error.js";
import { BatchPausedError } from "./batch-paused-error.js";
import { emitResults } from "./events.js";
import { executeBatch } from "./execute-batch.js";
import { type ExecutionOptions, prepareExecution } from "./execution-setup.js";
import { FaultList } from "./invalid-options-error.js";
import { Journal } from "./journal.js";
import type { ToolCall, ToolResult } from "./messages.js";
import { checkCalls, copyCalls } from "./tool-calls.js";

/** What a batch is executed with: the tools, their limits, who stands in between, and what cancels it. */
export interface ExecuteToolsOptions extends ExecutionOptions {
  /** Cancels the batch: what has not finished gets a result that says so. */
  readonly signal?: AbortSignal;
}

/**
 * Executes the tool calls of one assistant message and resolves to exactly one result per call, in call order, its
 * content within the limit of the tool, and all of them within the budget of the batch where there is one. Whatever a
 * tool or an interceptor does becomes a result; only an interceptor's abort or pause is an exception.
 *
 * @throws InvalidOptionsError for arguments that make no sense; BatchAbortedError where an interceptor aborts;
 * BatchPausedError where one pauses: then no call was executed.
 */
export async function executeTools(
  calls: readonly ToolCall[],
  options: ExecuteToolsOptions,
): Promise<readonly ToolResult[]> {
  const faults = new FaultList();
  faults.expectObject(options, "options");
  const { signal } = options;
  faults.expectSignal(signal, "options.signal");
  checkCalls(calls, faults);
  const setup = prepareExecution(options, faults);
  faults.throwIfAny();
  const batch = newBatch(copyCalls(calls));
  const outcome = await executeBatch(batch, setup, new Journal(undefined), signal);
  if (outcome.type === "paused") throw new BatchPausedError(outcome.calls);
  const { results, abortReason } = outcome;
  emitResults(results, setup.emit);
  if (abortReason !== undefined) throw new BatchAbortedError(abortReason, results);
  return results;
}
