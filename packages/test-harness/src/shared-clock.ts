/** Time that several live by. It moves only when all of them sleep, and then to the first wake. Milliseconds throughout. */
export interface SharedClock {
  now(): number;
  /** Runs one who lives by the clock: until it settles, time waits for it unless it sleeps. Those who run in one tick begin together. */
  run<T>(party: () => Promise<T>): Promise<T>;
  /** Sleeps, as one of those who run, who does nothing else meanwhile; rejects with the signal's reason where it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

interface Sleeper {
  readonly wakeAtMs: number;
  wake(): void;
}

/** A clock for tests of workers that share an account: nobody waits, and nobody overtakes another's time. */
export function createSharedClock(startMs: number = Date.UTC(2025, 0, 1)): SharedClock {
  const sleepers = new Set<Sleeper>();
  let running = 0;
  let time = startMs;

  function moveWhereAllSleep(): void {
    if (sleepers.size === 0 || sleepers.size < running) return;
    time = Math.min(...Array.from(sleepers, ({ wakeAtMs }) => wakeAtMs));
    for (const sleeper of [...sleepers].filter(({ wakeAtMs }) => wakeAtMs <= time)) {
      sleepers.delete(sleeper);
      sleeper.wake();
    }
  }

  return {
    now: () => time,
    async run(party) {
      running++;
      try {
        await Promise.resolve();
        return await party();
      } finally {
        running--;
        moveWhereAllSleep();
      }
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      if (!Number.isFinite(ms) || ms < 0) {
        throw new RangeError(`ms: expected a finite number of milliseconds, 0 or more, received ${String(ms)}`);
      }
      if (sleepers.size >= running) throw new Error("Only those sleep who run. Write: clock.run(() => …)");
      await new Promise<void>((resolve) => {
        const sleeper: Sleeper = { wakeAtMs: time + ms, wake };
        function wake(): void {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", wake);
          resolve();
        }
        signal?.addEventListener("abort", wake);
        sleepers.add(sleeper);
        moveWhereAllSleep();
      });
      signal?.throwIfAborted();
    },
  };
}
