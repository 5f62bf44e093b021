/** Time that moves only when somebody sleeps on it or pushes it. Milliseconds throughout. */
export interface FakeClock {
  now(): number;
  /** Moves the clock by `ms` at once, records the wait and resolves; rejects with the signal's reason where it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Moves the clock without recording a wait. */
  advance(ms: number): void;
  /** Every wait that was slept, in order. */
  readonly waits: readonly number[];
}

/** A clock for tests and replays: nobody waits, and what would have been waited can be read afterwards. */
export function createFakeClock(startMs: number = Date.UTC(2025, 0, 1)): FakeClock {
  const waits: number[] = [];
  let time = startMs;
  return {
    now: () => time,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      requireDuration(ms);
      waits.push(ms);
      time += ms;
      await Promise.resolve();
      signal?.throwIfAborted();
    },
    advance(ms) {
      requireDuration(ms);
      time += ms;
    },
    waits,
  };
}

function requireDuration(ms: number): void {
  if (Number.isFinite(ms) && ms >= 0) return;
  throw new RangeError(`ms: expected a finite number of milliseconds, 0 or more, received ${String(ms)}`);
}
