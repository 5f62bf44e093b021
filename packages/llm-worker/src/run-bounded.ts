import { setMaxListeners } from "node:events";
import type { MaybePromise } from "./tool.js";

/** What became of foreign work that a signal can stop. */
export type Cancellable<T> =
  | { readonly type: "settled"; readonly value: T }
  | { readonly type: "threw"; readonly error: unknown }
  | { readonly type: "cancelled" };

/** What became of foreign work that its time can stop as well. */
export type Bounded<T> = Cancellable<T> | { readonly type: "timed-out" };

interface Bounds {
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

type Work<T> = (signal: AbortSignal) => MaybePromise<T>;

/**
 * Runs foreign work until it settles, its time (if it has one) is over, or the signal says stop, whichever comes first.
 * The work gets a signal of its own, aborted in the last two cases; what it does afterwards is ignored. Never rejects.
 */
export function runBounded<T>(work: Work<T>, bounds: Bounds & { readonly timeoutMs: number }): Promise<Bounded<T>>;
export function runBounded<T>(work: Work<T>, bounds: Pick<Bounds, "signal">): Promise<Cancellable<T>>;
export function runBounded<T>(work: Work<T>, { timeoutMs, signal }: Bounds): Promise<Bounded<T>> {
  if (signal.aborted) return Promise.resolve({ type: "cancelled" });
  return new Promise((resolve) => {
    const own = new AbortController();
    // One signal may stop any number of workers and calls: Node would print a warning from the eleventh listener on.
    setMaxListeners(0, own.signal, signal);
    const settle = (outcome: Bounded<T>) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      resolve(outcome);
    };
    const cancel = () => {
      settle({ type: "cancelled" });
      own.abort(signal.reason);
    };
    const giveUp = () => {
      settle({ type: "timed-out" });
      own.abort(new DOMException(`No result within ${timeoutMs} ms`, "TimeoutError"));
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
    signal.addEventListener("abort", cancel);
    const start = async (): Promise<T> => work(own.signal);
    start().then(
      (value) => settle({ type: "settled", value }),
      (error: unknown) => settle({ type: "threw", error }),
    );
  });
}
