import { getEventListeners } from "node:events";
import { setImmediate as nextTick } from "node:timers/promises";
import { createDeferred } from "@pod/test-harness";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Bounded, runBounded } from "../src/run-bounded.js";

const never = () => new Promise<never>(() => {});
const outer = new AbortController();
const THEN = "then";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
});

interface Case {
  readonly outcome: Bounded<string>;
  /** Brings the outcome about. */
  settle(work: { resolve(value: string): void; reject(reason: unknown): void }, controller: AbortController): void;
}

const fault = new Error("fault");
const cases: readonly (readonly [title: string, how: Case])[] = [
  ["settles", { outcome: { type: "settled", value: "done" }, settle: ({ resolve }) => resolve("done") }],
  ["rejects", { outcome: { type: "threw", error: fault }, settle: ({ reject }) => reject(fault) }],
  ["runs out of time", { outcome: { type: "timed-out" }, settle: () => void vi.advanceTimersByTime(1_000) }],
  ["is cancelled", { outcome: { type: "cancelled" }, settle: (_, controller) => controller.abort() }],
];

describe("work", () => {
  // Mutants seen to fail: `clearTimeout` left out; `removeEventListener` left out.
  it.each(cases)("W2: that %s has one outcome, and leaves no timer and no listener behind", async (_, how) => {
    const controller = new AbortController();
    const work = createDeferred<string>();
    const bounded = runBounded(() => work.promise, { timeoutMs: 1_000, signal: controller.signal });
    expect(vi.getTimerCount()).toBe(1);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    how.settle(work, controller);
    expect(await bounded).toEqual(how.outcome);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it.each(
    cases.flatMap(([first, how]) =>
      cases.map(([second, later]): readonly [string, string, Case, Case] => [first, second, how, later]),
    ),
  )(
    "W2: that %s and then %s keeps its first outcome, and nobody is left with a rejection",
    async (_, _2, how, later) => {
      const unhandled = vi.fn();
      process.on("unhandledRejection", unhandled);
      const controller = new AbortController();
      const work = createDeferred<string>();
      const bounded = runBounded(() => work.promise, { timeoutMs: 1_000, signal: controller.signal });
      how.settle(work, controller);
      expect(await bounded).toEqual(how.outcome);
      later.settle(work, controller);
      await nextTick();
      expect(await bounded).toEqual(how.outcome);
      process.off("unhandledRejection", unhandled);
      expect(unhandled).not.toHaveBeenCalled();
    },
  );

  // Mutant seen to fail: `work(own.signal).then` without the async function around it.
  it("W2: that throws at once has thrown", async () => {
    const fail = () => {
      throw fault;
    };
    expect(await runBounded(fail, { timeoutMs: 1_000, signal: outer.signal })).toEqual({ type: "threw", error: fault });
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(outer.signal, "abort")).toEqual([]);
  });

  // Mutant seen to fail: the look at `signal.aborted` left out.
  it("W2: is not begun where the signal says stop already", async () => {
    const work = vi.fn();
    expect(await runBounded(work, { timeoutMs: 1_000, signal: AbortSignal.abort() })).toEqual({ type: "cancelled" });
    expect(work).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("W2: without a time-out has no timer, and can be cancelled", async () => {
    const controller = new AbortController();
    const bounded = runBounded(never, { signal: controller.signal });
    expect(vi.getTimerCount()).toBe(0);
    controller.abort();
    expect(await bounded).toEqual({ type: "cancelled" });
  });

  it("W2: ends within its own time, not before", async () => {
    const settled = vi.fn();
    const bounded = runBounded(never, { timeoutMs: 1_000, signal: outer.signal }).then(settled);
    vi.advanceTimersByTime(999);
    await nextTick();
    expect(settled).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await bounded;
    expect(settled).toHaveBeenCalledExactlyOnceWith({ type: "timed-out" });
  });

  it("W2: that cancels its own caller's signal while it starts is cancelled", async () => {
    const controller = new AbortController();
    const bounded = runBounded(
      () => {
        controller.abort();
        return "done";
      },
      { timeoutMs: 1_000, signal: controller.signal },
    );
    expect(await bounded).toEqual({ type: "cancelled" });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the signal that the work gets", () => {
  const signalOf = async (how: Case, controller: AbortController) => {
    const work = createDeferred<string>();
    const signals: AbortSignal[] = [];
    const bounded = runBounded(
      (signal) => {
        signals.push(signal);
        return work.promise;
      },
      { timeoutMs: 1_000, signal: controller.signal },
    );
    how.settle(work, controller);
    await bounded;
    return signals[0];
  };

  // Mutants seen to fail: `own.abort` left out, of either.
  it.each(cases)("W2: is aborted where the work is late or told to stop, and only there: it %s", async (_, how) => {
    const signal = await signalOf(how, new AbortController());
    expect(signal?.aborted).toBe(["timed-out", "cancelled"].includes(how.outcome.type));
  });

  it("W2: says why: the caller's reason, or the time-out", async () => {
    const controller = new AbortController();
    const reason = { said: "the user" };
    const cancelled = await signalOf(
      { outcome: { type: "cancelled" }, settle: () => controller.abort(reason) },
      controller,
    );
    expect(cancelled?.reason).toBe(reason);
    const [, timedOut] = cases[2] ?? [];
    const late = timedOut && (await signalOf(timedOut, new AbortController()));
    expect(late?.reason).toMatchObject({ name: "TimeoutError", message: "No result within 1000 ms" });
  });

  it("W2: is the work's own: a listener that is left on it is not left on the caller's", async () => {
    const controller = new AbortController();
    await runBounded(
      (signal) => {
        signal.addEventListener("abort", () => {});
        return "done";
      },
      { signal: controller.signal },
    );
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});

describe("a result that is a thenable", () => {
  const run = (then: PropertyDescriptor) =>
    runBounded(() => Promise.resolve(Object.defineProperties({}, { [THEN]: then })), {
      timeoutMs: 1_000,
      signal: outer.signal,
    });
  type Settle = (value: unknown) => void;

  it.each([
    ["resolves", { value: (resolve: Settle) => resolve("done") }, { type: "settled", value: "done" }],
    ["resolves twice, and rejects", { value: settleThrice }, { type: "settled", value: "done" }],
    ["rejects", { value: (_: Settle, reject: Settle) => reject(fault) }, { type: "threw", error: fault }],
    ["throws", { value: fail }, { type: "threw", error: fault }],
    ["cannot be read", { get: fail }, { type: "threw", error: fault }],
  ])("W2: is awaited: one that %s", async (_, then, outcome) => {
    expect(await run(then)).toEqual(outcome);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(outer.signal, "abort")).toEqual([]);
  });

  it("W2: and never settles runs out of time", async () => {
    const bounded = run({ value: () => {} });
    await nextTick();
    vi.advanceTimersByTime(1_000);
    expect(await bounded).toEqual({ type: "timed-out" });
  });

  function settleThrice(resolve: Settle, reject: Settle): void {
    resolve("done");
    resolve("again");
    reject(fault);
  }

  function fail(): never {
    throw fault;
  }
});
