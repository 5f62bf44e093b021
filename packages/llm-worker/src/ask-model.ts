import type { LlmRequest } from "./llm-client.js";
import { type Answer, readAnswer } from "./read-answer.js";
import { readSizeRefusal } from "./read-size-refusal.js";
import { recapBatch } from "./recap-batch.js";
import { type Excess, RequestTooLargeError } from "./request-size.js";
import { chooseDelayMs, isRetryable } from "./retry.js";
import { type Cancellable, runBounded } from "./run-bounded.js";
import { sizeOf, type WorkerState } from "./worker-state.js";

interface Asking {
  readonly worker: WorkerState;
  readonly turn: number;
  readonly signal: AbortSignal;
}

/** How an estimate is weighed where the provider states a limit and not what the request asks for. */
interface Verdict {
  /** By how much an estimate must exceed the limit. */
  readonly factor: number;
  readonly estimate: (worker: WorkerState) => number;
}

/** An estimate may be wrong by so much: below it, a 429 may still be one that passes. */
const EARLY: Verdict = { factor: 1.2, estimate: (worker) => worker.estimator.estimate(sizeOf(worker)) };

/** Before it is given up, a request is rather made smaller: a session that learned from prose takes paths for too light. */
const LAST: Verdict = {
  factor: 1,
  estimate: (worker) => Math.max(EARLY.estimate(worker), worker.wary.estimate(sizeOf(worker))),
};

/**
 * Sends the history until it is answered, as often and as long as the retry options allow. A request that is too large
 * for the provider's whole limit is not sent twice: its newest batch is made smaller, twice at most.
 *
 * @throws RequestTooLargeError, LlmError, or whatever the client, the log or `sleep` throws.
 */
export async function askModel(asking: Asking): Promise<Answer | "cancelled"> {
  const { worker, turn, signal } = asking;
  const { retry, sleep, setup } = worker;
  let spentMs = 0;
  let recaps = 0;
  /** Of the request as it stands. */
  let tries = 0;
  for (let attempt = 1; ; attempt++) {
    const request = Object.freeze({ ...worker.preamble, messages: worker.history.messages });
    const startedAt = performance.now();
    const asked = await askOnce(request, attempt, asking);
    if (asked.type === "settled") return asked.value;
    if (asked.type === "cancelled") return "cancelled";
    const { error } = asked;
    spentMs += performance.now() - startedAt;
    tries++;
    const leftMs = retry.maxTotalMs - spentMs;
    const delayMs = isRetryable(error) && tries < retry.maxAttempts ? chooseDelayMs(error, tries, leftMs) : Infinity;
    const isLastTry = delayMs > leftMs;
    const excess = readExcess(error, worker, isLastTry ? LAST : EARLY);
    if (excess !== undefined) {
      await recap(excess, request, error, ++recaps, attempt, asking);
      tries = 0;
      continue;
    }
    if (!isRetryable(error) || isLastTry) throw error;
    spentMs += delayMs;
    const { kind, status, code } = error;
    setup.emit({
      type: "retry",
      turn,
      attempt,
      delayMs,
      error: { kind, ...(status && { status }), ...(code && { code }) },
    });
    const slept = await runBounded((ownSignal) => sleep(delayMs, ownSignal), { signal });
    if (slept.type === "threw") throw slept.error;
    if (slept.type === "cancelled") return "cancelled";
  }
}

async function askOnce(request: LlmRequest, attempt: number, asking: Asking): Promise<Cancellable<Answer>> {
  const { worker, turn, signal } = asking;
  const { emit } = worker.setup;
  if (signal.aborted) return { type: "cancelled" };
  emit({ type: "request-start", turn, attempt });
  const asked = await runBounded(
    (ownSignal) =>
      readAnswer(worker.client, request, ownSignal, (text) => {
        if (!ownSignal.aborted) emit({ type: "text-delta", text });
      }),
    { signal },
  );
  emit({ type: "request-end", turn, attempt, outcome: OUTCOMES[asked.type] });
  return asked;
}

const OUTCOMES = { settled: "answered", threw: "failed", cancelled: "cancelled" } as const;

/** By what the request is too large to pass ever, if it is. Figures decide: the provider's own, else an estimate. */
function readExcess(error: unknown, worker: WorkerState, verdict: Verdict): Excess | undefined {
  const refusal = readSizeRefusal(error);
  if (refusal === undefined) return undefined;
  const estimate = verdict.estimate(worker);
  if (refusal.type === "too-large") {
    const { inputTokenLimit, requestedTokens = estimate } = refusal;
    const inputTokens = requestedTokens;
    return { inputTokens, cachedInputTokens: 0, ...(inputTokenLimit !== undefined && { inputTokenLimit }) };
  }
  // What the provider reads from its cache does not count against a limit a minute.
  const { cachedInputTokens } = worker;
  const inputTokens = Math.max(0, estimate - cachedInputTokens);
  const { inputTokenLimit } = refusal;
  return inputTokens > inputTokenLimit * verdict.factor
    ? { inputTokens, cachedInputTokens, inputTokenLimit }
    : undefined;
}

/** @throws RequestTooLargeError where nothing is left that could be made smaller. */
async function recap(
  excess: Excess,
  request: LlmRequest,
  error: unknown,
  time: number,
  attempt: number,
  { worker, turn }: Asking,
): Promise<void> {
  const recapped = recapBatch(worker, excess, time);
  if (recapped === undefined) throw new RequestTooLargeError(request, excess, error);
  const { fromBytes, toBytes, lowered } = recapped;
  worker.setup.emit({ type: "batch-recapped", turn, attempt, fromBytes, toBytes });
  await worker.journal.append({ type: "batch-recapped", lowered });
}
