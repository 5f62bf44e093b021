import pLimit from "p-limit";
import { BatchAbortedError } from "./batch-aborted-error.js";
import { BatchStop } from "./batch-stop.js";
import { draftError } from "./draft.js";
import { draftCall, passDraft } from "./draft-call.js";
import { emitInterceptorFailed, emitResults } from "./events.js";
import { type ExecutionOptions, type ExecutionSetup, limitOf, prepareExecution } from "./execution-setup.js";
import { type Interception, interceptCall } from "./interceptors.js";
import { FaultList } from "./invalid-options-error.js";
import type { ToolCall, ToolResult } from "./messages.js";
import { checkCalls, copyCalls } from "./tool-calls.js";
import { makeToolResult } from "./tool-result.js";

/** What a batch is executed with: the tools, their limits, who stands in between, and what cancels it. */
export interface ExecuteToolsOptions extends ExecutionOptions {
  /** Cancels the batch: what has not finished gets a result that says so. */
  readonly signal?: AbortSignal;
}

/**
 * Executes the tool calls of one assistant message and resolves to exactly one result per call, in call order, its
 * content within the limit of the tool. Whatever a tool or an interceptor does becomes a result; only an interceptor's
 * abort is an exception.
 *
 * @throws InvalidOptionsError for arguments that make no sense; BatchAbortedError where an interceptor aborts.
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
  const { results, abortReason } = await executeBatch(copyCalls(calls), setup, signal);
  emitResults(results, setup.emit);
  if (abortReason !== undefined) throw new BatchAbortedError(abortReason, results);
  return results;
}

/** What became of a batch. */
export interface BatchOutcome {
  /** One per call, in call order. */
  readonly results: readonly ToolResult[];
  /** Set where an interceptor aborted. */
  readonly abortReason?: string;
}

/**
 * All pre-tool decisions are made before the first call starts; then the calls run in parallel, and each becomes a result
 * as it finishes.
 */
export async function executeBatch(
  calls: readonly ToolCall[],
  setup: ExecutionSetup,
  signal: AbortSignal | undefined,
): Promise<BatchOutcome> {
  for (const call of calls) setup.emit({ type: "tool-call", call });
  const stop = new BatchStop(signal);
  try {
    const interceptions = await interceptCalls(calls, setup, stop);
    const atMost = pLimit(setup.maxConcurrency);
    const results = await Promise.all(
      calls.map((call, index) => atMost(() => executeCall(call, interceptions[index], setup, stop))),
    );
    return {
      results: Object.freeze(results),
      ...(stop.abortReason !== undefined && { abortReason: stop.abortReason }),
    };
  } finally {
    stop.release();
  }
}

async function interceptCalls(
  calls: readonly ToolCall[],
  setup: ExecutionSetup,
  stop: BatchStop,
): Promise<readonly Interception[]> {
  // Shorter than the calls where the batch is stopped: the rest get the text of the stop.
  const interceptions: Interception[] = [];
  for (const call of calls) {
    const interception = await interceptCall(call, setup.interceptors, setup.interceptorTimeoutMs, stop.signal);
    if (interception.type === "failed") emitInterceptorFailed(call, interception, "preToolCall", setup.emit);
    if (interception.type === "aborted") stop.abort(interception.reason);
    if (stop.signal.aborted) break;
    interceptions.push(interception);
  }
  return interceptions;
}

/**
 * One call to its end: the tool, or what stands for it, makes a draft; the post-tool interceptors pass it; the chokepoint
 * makes it the result. Whatever happens on the way becomes the draft.
 */
async function executeCall(
  call: ToolCall,
  interception: Interception | undefined,
  setup: ExecutionSetup,
  stop: BatchStop,
): Promise<ToolResult> {
  const edited = interception?.call ?? call;
  const limit = limitOf(call, edited, setup.limits);
  try {
    const draft = await draftCall(call, interception, setup, stop.signal);
    const passed = draft && (await passDraft(draft, edited, setup, stop));
    return makeToolResult(passed ?? draftError(call, stop.text), limit);
  } catch {
    // No text of the outcome could be made: it would be longer than the engine's longest string.
    return makeToolResult(draftError(call, "the outcome is too large to tell"), limit);
  }
}
