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
 * Milliseconds to wait after the failure of an attempt (counted from 1): what the provider asks for, else a random part
 * of a time that doubles ("full jitter"), so that workers that failed together do not come back together.
 */
export function chooseDelayMs({ retryAfterMs }: LlmError, attempt: number): number {
  const jitterMs = Math.floor(Math.random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)));
  // A client may hand over NaN.
  return Math.max(retryAfterMs || 0, jitterMs);
}
