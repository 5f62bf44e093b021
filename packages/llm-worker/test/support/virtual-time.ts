import { setImmediate } from "node:timers/promises";
import { vi } from "vitest";

/** Fakes the timers that time-outs are made of. Nothing else: promises and the event loop go their way. */
export function fakeTimeouts(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
}

let waiting = 0;

/** Waits so many rounds of the event loop, in which no time passes. */
export async function waitRounds(rounds: number): Promise<void> {
  waiting++;
  for (let round = 0; round < rounds; round++) await setImmediate();
  waiting--;
}

/** Moves time on to the next timer whenever nothing else is left to do, until the promise settles. */
export async function settleInVirtualTime<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let idleRounds = 0; ; idleRounds++) {
    // All that promises alone can do is done when the event loop comes round.
    await setImmediate();
    if (isSettled) return promise;
    if (vi.getTimerCount() > 0 || waiting > 0) idleRounds = 0;
    if (waiting > 0) continue;
    if (idleRounds > 3) throw new Error("nothing is left that could happen, and it has not settled");
    vi.advanceTimersToNextTimer();
  }
}
