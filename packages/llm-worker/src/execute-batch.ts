import pLimit from "p-limit";
import type { Batch } from "./batch.js";
import { BatchStop } from "./batch-stop.js";
import type { LimitedResult } from "./budget.js";
import { draftError, OUTCOME_UNKNOWN } from "./draft.js";
import { draftCall, passDraft } from "./draft-call.js";
import { emitInterceptorFailed } from "./events.js";
import { type ExecutionSetup, limitOf } from "./execution-setup.js";
import { type Interception, interceptCall } from "./interceptors.js";
import type { Journal } from "./journal.js";
import type { ToolCall, ToolResult } from "./messages.js";
import type { SessionEntry } from "./session-entry.js";
import { limitFor, type ToolLimit } from "./tool-limit.js";
import { makeToolResult } from "./tool-result.js";
import { type FinishedBatch, finishBatch } from "./turn-budget.js";

/** What became of a batch. */
export type BatchOutcome =
  | ExecutedBatch
  /** Nothing was executed: these calls wait for a decision. */
  | { readonly type: "paused"; readonly calls: readonly ToolCall[] };

interface ExecutedBatch extends FinishedBatch {
  readonly type: "finished";
  /** Set where an interceptor aborted. */
  readonly abortReason?: string;
  /** Set where the log failed. */
  readonly failure?: { readonly error: unknown };
}

/**
 * All pre-tool decisions are made before the first call starts; then the calls run in parallel, each becomes a result as
 * it finishes, and the batch is brought within its budget. What finished in an earlier run is not done again.
 */
export async function executeBatch(
  batch: Batch,
  setup: ExecutionSetup,
  journal: Journal,
  signal: AbortSignal | undefined,
): Promise<BatchOutcome> {
  const unfinished = batch.calls.filter(({ toolCallId }) => !batch.finished.has(toolCallId));
  for (const call of unfinished) setup.emit({ type: "tool-call", call });
  const stop = new BatchStop(signal);
  try {
    const interceptions = await interceptCalls(unfinished, batch, setup, stop);
    const paused = unfinished.filter(({ toolCallId }) => interceptions.get(toolCallId)?.type === "paused");
    if (paused.length > 0 && !stop.signal.aborted) return { type: "paused", calls: Object.freeze(paused) };
    const atMost = pLimit(setup.maxConcurrency);
    const limited = await Promise.all(
      batch.calls.map(
        (call) =>
          finishedOf(call, batch, setup) ??
          atMost(() => executeCall(call, interceptions.get(call.toolCallId), { batch, setup, journal, stop })),
      ),
    );
    return {
      type: "finished",
      ...finishBatch(limited, setup.limits),
      ...(stop.abortReason !== undefined && { abortReason: stop.abortReason }),
      ...(stop.failure && { failure: stop.failure }),
    };
  } finally {
    stop.release();
  }
}

/** By call id. Without those after which the batch was stopped: they get the text of the stop. */
async function interceptCalls(
  calls: readonly ToolCall[],
  { started }: Batch,
  setup: ExecutionSetup,
  stop: BatchStop,
): Promise<ReadonlyMap<string, Interception>> {
  const interceptions = new Map<string, Interception>();
  for (const call of calls) {
    const mayHaveRun = started.has(call.toolCallId);
    const interception = await interceptOnce(call, mayHaveRun, setup, stop.signal);
    if (interception.type === "failed") emitInterceptorFailed(call, interception, "preToolCall", setup.emit);
    if (interception.type === "aborted") stop.abort(interception.reason);
    if (stop.signal.aborted) break;
    interceptions.set(call.toolCallId, interception);
  }
  return interceptions;
}

/** A call that may have run already is run again only where that does no harm. */
async function interceptOnce(
  call: ToolCall,
  mayHaveRun: boolean,
  setup: ExecutionSetup,
  signal: AbortSignal,
): Promise<Interception> {
  const isRefused = ({ toolName }: ToolCall) => mayHaveRun && setup.tools.get(toolName)?.isIdempotent !== true;
  const unknown: Interception = { type: "not-run", call, draft: draftError(call, OUTCOME_UNKNOWN) };
  if (isRefused(call)) return unknown;
  const interception = await interceptCall(call, setup.interceptors, setup.interceptorTimeoutMs, signal);
  return interception.type === "run" && isRefused(interception.call) ? unknown : interception;
}

interface Execution {
  readonly batch: Batch;
  readonly setup: ExecutionSetup;
  readonly journal: Journal;
  readonly stop: BatchStop;
}

/**
 * One call to its end: the tool, or what stands for it, makes a draft; the post-tool interceptors pass it; the chokepoint
 * makes it the result. Whatever happens on the way becomes the draft.
 */
async function executeCall(
  call: ToolCall,
  interception: Interception | undefined,
  execution: Execution,
): Promise<LimitedResult> {
  const { setup } = execution;
  const limit = limitOf(call, interception?.call ?? call, setup.limits);
  // Written down before it runs: after a crash nobody could tell otherwise.
  if (interception?.type === "run") await tryAppend({ type: "call-started", toolCallId: call.toolCallId }, execution);
  const result = await makeResult(call, interception, limit, execution);
  await tryAppend({ type: "call-finished", result }, execution);
  return { result, limit };
}

async function makeResult(
  call: ToolCall,
  interception: Interception | undefined,
  limit: ToolLimit,
  { batch, setup, stop }: Execution,
): Promise<ToolResult> {
  try {
    const draft = await draftCall(call, interception, setup, stop.signal);
    const passed = draft && (await passDraft(draft, interception?.call ?? call, setup, stop));
    // Stopped now says nothing of a call that may have run before.
    const stopText = batch.started.has(call.toolCallId) ? OUTCOME_UNKNOWN : stop.text;
    return makeToolResult(passed ?? draftError(call, stopText), limit);
  } catch {
    // No text of the outcome could be made: it would be longer than the engine's longest string.
    return makeToolResult(draftError(call, "the outcome is too large to tell"), limit);
  }
}

async function tryAppend(entry: SessionEntry, { journal, stop }: Execution): Promise<void> {
  try {
    await journal.append(entry);
  } catch (error) {
    stop.fail(error);
  }
}

/** The result that an earlier run came to. */
export function finishedOf(
  { toolCallId, toolName }: ToolCall,
  { finished }: Batch,
  { limits }: ExecutionSetup,
): LimitedResult | undefined {
  const result = finished.get(toolCallId);
  return result && { result, limit: limitFor(limits, toolName) };
}
