const MINUTE_MS = 60_000;

/** A budget that refills continuously up to one minute's worth, as providers meter their accounts. */
export interface TokenBucket {
  readonly tokensPerMinute: number;
  /** Takes all of `tokens` or none. */
  take(tokens: number): TakeOutcome;
}

/** What came of a request for tokens, and how the bucket stands after it. */
export interface TakeOutcome {
  readonly granted: boolean;
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** When the bucket is full again, in milliseconds of the clock. */
  readonly resetAtMs: number;
  /** Whole seconds until `tokens` are there, or until the bucket is full where they never will be; at least 1, but 0 where granted. */
  readonly retryAfterSeconds: number;
}

/** A bucket that starts full, on a clock in whole milliseconds. */
export function createTokenBucket(tokensPerMinute: number, now: () => number): TokenBucket {
  if (!Number.isInteger(tokensPerMinute) || tokensPerMinute < 1) {
    throw new RangeError(`tokensPerMinute: expected an integer of at least 1, received ${String(tokensPerMinute)}`);
  }
  // Counted in sixty-thousandths of a token, which is what one millisecond brings for each token a minute: integers do not drift.
  const capacity = tokensPerMinute * MINUTE_MS;
  let available = capacity;
  let refilledAtMs = now();
  return {
    tokensPerMinute,
    take(tokens) {
      const nowMs = now();
      available = Math.min(capacity, available + (nowMs - refilledAtMs) * tokensPerMinute);
      refilledAtMs = nowMs;
      const wanted = tokens * MINUTE_MS;
      const granted = wanted <= available;
      if (granted) available -= wanted;
      const missing = Math.min(wanted, capacity) - available;
      return {
        granted,
        remaining: Math.floor(available / MINUTE_MS),
        resetAtMs: nowMs + Math.ceil((capacity - available) / tokensPerMinute),
        retryAfterSeconds: granted ? 0 : Math.max(1, Math.ceil(missing / tokensPerMinute / 1000)),
      };
    },
  };
}
