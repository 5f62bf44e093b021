import pLimit from "p-limit";
import { BatchStop } from "./batch-stop.js";
import { emitResults } from "./events.js";
import { executeCall } from "./execute-call.js";
import { type Execution, type ExecutionOptions, prepareExecution } from "./execution.js";
import { type Interception, interceptCall, tellFailure } from "./interceptors.js";
import { FaultList } from "./invalid-options-error.js";
import type { ToolCall, ToolResult } from "./messages.js";
import { checkCalls, copyCalls } from "./tool-calls.js";

/** What a batch is executed with: the tools, their limits, who stands in between, and what cancels it. */
export interface ExecuteToolsOptions extends ExecutionOptions {
  /** Cancels the batch: what has not finished gets a result that says so. */
  readonly signal?: AbortSignal;
}

/** An interceptor aborted the batch. `results` holds one result per call all the same. */
export class BatchAbortedError extends Error {
  override readonly name = "BatchAbortedError";
  readonly reason: string;
  readonly results: readonly ToolResult[];

  constructor(reason: string, results: readonly ToolResult[]) {
    super(`An interceptor aborted the batch: ${reason}`);
    this.reason = reason;
    this.results = results;
  }
}

/**
 * Executes the tool calls of one assistant message and resolves to exactly one result per call, in call order, each
 * within its tool's limit. Whatever a tool or an interceptor does becomes a result, never an exception.
 *
 * @throws InvalidOptionsError for arguments that make no sense; BatchAbortedError where an interceptor aborts.
 */
export async function executeTools(
  calls: readonly ToolCall[],
  options: ExecuteToolsOptions,
): Promise<readonly ToolResult[]> {
  const faults = new FaultList();
  faults.expectObject(options, "options");
  faults.expectSignal(options.signal, "options.signal");
  checkCalls(calls, faults);
  const execution = prepareExecution(options, faults);
  faults.throwIfAny();
  const { results, abortReason } = await executeBatch(copyCalls(calls), execution, options.signal);
  emitResults(results, execution.emit);
  if (abortReason !== undefined) throw new BatchAbortedError(abortReason, results);
  return results;
}

export interface Batch {
  readonly results: readonly ToolResult[];
  /** Set where an interceptor aborted. */
  readonly abortReason?: string;
}

/**
 * Every interceptor is asked about every call before the first call starts; then the calls run in parallel, and each
 * becomes a result as it finishes.
 */
export async function executeBatch(
  calls: readonly ToolCall[],
  execution: Execution,
  signal: AbortSignal | undefined,
): Promise<Batch> {
  for (const call of calls) execution.emit({ type: "tool-call", call });
  const stop = new BatchStop(signal);
  try {
    const interceptions = await interceptCalls(calls, execution, stop);
    const atMost = pLimit(execution.maxConcurrency);
    const results = await Promise.all(
      calls.map((call, index) => atMost(() => executeCall(call, interceptions[index], execution, stop))),
    );
    return {
      results: Object.freeze(results),
      ...(stop.abortReason !== undefined && { abortReason: stop.abortReason }),
    };
  } finally {
    stop.release();
  }
}

async function interceptCalls(calls: readonly ToolCall[], execution: Execution, stop: BatchStop) {
  const interceptions: Interception[] = [];
  for (const call of calls) {
    const interception = await interceptCall(call, { ...execution, signal: stop.signal });
    if (interception.type === "failed") tellFailure(call, interception, "preToolCall", execution.emit);
    if (interception.type === "abort") stop.abort(interception.reason);
    if (stop.signal.aborted) break;
    interceptions.push(interception);
  }
  return interceptions;
}
