import { LlmError, type LlmRequest } from "./llm-client.js";
import { type Answer, readAnswer } from "./read-answer.js";
import { estimateInputTokens, RequestTooLargeError } from "./request-size.js";
import { chooseDelayMs, isRetryable } from "./retry.js";
import { type Cancellable, runBounded } from "./run-bounded.js";
import type { WorkerState } from "./worker-state.js";

interface Asking {
  readonly worker: WorkerState;
  readonly turn: number;
  readonly signal: AbortSignal;
}

/**
 * Sends one request until it is answered, as often and as long as the retry options allow. A request that is too large
 * for the provider's whole limit is not sent twice.
 *
 * @throws RequestTooLargeError, LlmError, or whatever the client or `sleep` throws.
 */
export async function askModel(request: LlmRequest, asking: Asking): Promise<Answer | "cancelled"> {
  const { worker, turn, signal } = asking;
  const { retry, sleep, setup } = worker;
  let spentMs = 0;
  for (let attempt = 1; ; attempt++) {
    const startedAt = performance.now();
    const asked = await askOnce(request, attempt, asking);
    if (asked.type === "settled") return asked.value;
    if (asked.type === "cancelled") return "cancelled";
    const { error } = asked;
    spentMs += performance.now() - startedAt;
    throwIfTooLarge(request, error, worker.cachedInputTokens);
    if (!isRetryable(error) || attempt >= retry.maxAttempts) throw error;
    const delayMs = chooseDelayMs(error, attempt);
    spentMs += delayMs;
    if (spentMs > retry.maxTotalMs) throw error;
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

// Numbers decide, never the prose of an error.
function throwIfTooLarge(request: LlmRequest, error: unknown, cachedInputTokens: number): void {
  if (!(error instanceof LlmError) || error.status !== 429 || error.inputTokenLimit === undefined) return;
  const estimate = estimateInputTokens(request, cachedInputTokens);
  if (estimate > error.inputTokenLimit) throw new RequestTooLargeError(request, estimate, error.inputTokenLimit, error);
}
