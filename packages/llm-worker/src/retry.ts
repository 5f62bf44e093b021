import type { FaultList } from "./invalid-options-error.js";
import { LlmError } from "./llm-client.js";

/** How long a request is tried. */
export interface RetryOptions {
  /** Requests in all, the first one included. Default 5. */
  readonly maxAttempts?: number;
  /** Milliseconds in all, requests and waits. A wait that would go beyond ends the retries at once. Default 120,000. */
  readonly maxTotalMs?: number;
}

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** Where twelve workers share an account, less of it leaves some of them refused five times (docs/decisions/jitter-and-retry-after.md). */
const SPREAD_GROWTH = 16;
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

export function prepareRetry(options: RetryOptions, faults: FaultList): Required<RetryOptions> {
  const isObject = typeof options === "object" && options !== null;
  faults.expect(isObject, "retry", "an object", options);
  const { maxAttempts = 5, maxTotalMs = 120_000 } = isObject ? options : {};
  faults.expectCount(maxAttempts, "retry.maxAttempts");
  faults.expectCount(maxTotalMs, "retry.maxTotalMs");
  return { maxAttempts, maxTotalMs };
}

/** Whether the same request may succeed later. */
export function isRetryable(error: unknown): error is LlmError {
  if (!(error instanceof LlmError)) return false;
  if (error.kind !== "status") return true;
  const { status = 0 } = error;
  return RETRIED_STATUSES.has(status) || status >= 500;
}

/**
 * Milliseconds to wait before the same request is sent again, after so many tries, the first included; `leftMs` is what is
 * left of the time in all. Without a word of the provider, a random part of a time that doubles ("full jitter"). Else what
 * it asks for and a random part of it on top; from the second refusal on of 16 times it: then others are waiting
 * for the same tokens, and those who were told the same second must not come back in it.
 */
export function chooseDelayMs({ retryAfterMs = 0 }: LlmError, tries: number, leftMs: number): number {
  // A client may hand over NaN.
  if (!(retryAfterMs > 0)) return randomBelow(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1)));
  const spreadMs = retryAfterMs * SPREAD_GROWTH ** (tries - 1);
  return retryAfterMs + randomBelow(Math.min(spreadMs, Math.max(0, leftMs - retryAfterMs)));
}

function randomBelow(ms: number): number {
  return Math.floor(Math.random() * ms);
}
