import { getEventListeners, once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { executeTools, type Tool, type ToolCall } from "@pod/llm-worker";
import { createBarrier, createDeferred, within } from "@pod/test-harness";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ways } from "./support/through-both.js";
import { toolOf } from "./support/tool-of.js";

function callsOf(count: number, toolName = "Read"): readonly ToolCall[] {
  return Array.from({ length: count }, (_, index) => ({ toolCallId: `call-${index}`, toolName, input: {} }));
}

describe("how many calls run at once", () => {
  // Mutants seen to fail: a default of 7 (the barrier holds) and of 9 (the count).
  it.each([
    ["8 by default", {}, 8],
    ["as many as maxConcurrency says", { maxConcurrency: 3 }, 3],
    ["one after the other", { maxConcurrency: 1 }, 1],
  ])("W2: %s", async (_what, options, expected) => {
    const barrier = createBarrier(expected);
    let running = 0;
    let most = 0;
    const read = toolOf("Read", async () => {
      running += 1;
      most = Math.max(most, running);
      await barrier.arrive();
      // Whoever could start has started by then.
      await setImmediate();
      running -= 1;
      return "done";
    });
    const results = await within(executeTools(callsOf(20), { tools: [read], ...options }), "20 calls");
    expect(results).toHaveLength(20);
    expect(most).toBe(expected);
  });

  it.each(ways)("W2: 8 at once, and results in call order, through %s", async (_way, runBatch) => {
    const barrier = createBarrier(8);
    const read = toolOf("Read", async (_input, { toolCallId }) => {
      await barrier.arrive();
      return toolCallId;
    });
    const seen = await within(runBatch(callsOf(12), { tools: [read] }), "12 calls");
    expect(seen.received.map(({ text }) => text)).toEqual(callsOf(12).map(({ toolCallId }) => toolCallId));
  });

  it.each(ways)("W2: leaves no listener on the caller's signal, through %s", async (_way, runBatch) => {
    const { signal } = new AbortController();
    const interceptors = [{ preToolCall: () => {}, postToolCall: () => {} }];
    await runBatch(callsOf(3), { tools: [toolOf("Read", () => "done")], interceptors, signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("W2 W10: a large batch leaves no listener behind and makes the process warn of none", async () => {
    const warnings: unknown[] = [];
    const record = (warning: unknown) => warnings.push(warning);
    process.on("warning", record);
    const { signal } = new AbortController();
    const read = toolOf("Read", async () => {
      await setImmediate();
      return "done";
    });
    const interceptors = [{ postToolCall: async () => void (await setImmediate()) }];
    await executeTools(callsOf(100), { tools: [read], interceptors, maxConcurrency: 100, signal });
    await setImmediate();
    process.off("warning", record);
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("a call's own time", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  // Mutants seen to fail: a signal that is not aborted, and one that all calls share.
  it("W2: a call that ignores its signal is over in time, and its siblings go on", async () => {
    const overdue = createDeferred<AbortSignal>();
    const stubborn: Tool["execute"] = (_input, { signal }) => {
      signal.addEventListener("abort", () => overdue.resolve(signal));
      return new Promise<never>(() => {});
    };
    const patient: Tool["execute"] = async (_input, { signal }) => {
      await overdue.promise;
      await setImmediate();
      return signal.aborted ? "aborted too" : "done";
    };
    const calls = [...callsOf(1, "Stubborn"), { toolCallId: "call-1", toolName: "Patient", input: {} }];
    const results = await executeTools(calls, {
      tools: [toolOf("Stubborn", stubborn, { timeoutMs: 1 }), toolOf("Patient", patient)],
    });
    expect(results).toEqual([
      {
        toolCallId: "call-0",
        toolName: "Stubborn",
        summary: expect.stringMatching(/timed out.*\b1 ms/),
        isError: true,
      },
      { toolCallId: "call-1", toolName: "Patient", summary: "done", isError: false },
    ]);
    expect((await overdue.promise).reason).toMatchObject({ name: "TimeoutError" });
  });

  it.each([
    ["120 s by default", {}, {}, 120_000],
    ["toolTimeoutMs", { toolTimeoutMs: 50 }, {}, 50],
    ["the tool's own before toolTimeoutMs", { toolTimeoutMs: 50 }, { timeoutMs: 70 }, 70],
  ])("W2: %s", async (_what, options, more, expected) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { running, isOver } = watch(callsOf(1), { ...options, tools: [toolOf("Read", never, more)] });
    await vi.advanceTimersByTimeAsync(expected - 1);
    expect(isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await running).toMatchObject([{ isError: true, summary: expect.stringContaining(`${expected} ms`) }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ["before the call", { preToolCall: never }, {}, 30_000],
    ["after the call", { postToolCall: never }, {}, 30_000],
    ["before the call, as interceptorTimeoutMs says", { preToolCall: never }, { interceptorTimeoutMs: 9 }, 9],
  ])("W2: an interceptor that does not settle fails %s", async (_what, interceptor, options, expected) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const tools = [toolOf("Read", () => "done")];
    const { running, isOver } = watch(callsOf(1), { ...options, tools, interceptors: [interceptor] });
    await vi.advanceTimersByTimeAsync(expected - 1);
    expect(isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await running).toMatchObject([{ isError: true, summary: "interceptor 1 failed" }]);
  });

  it("W2: leaves no timer behind", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const interceptors = [{ preToolCall: () => {}, postToolCall: () => {} }];
    await executeTools(callsOf(3), { tools: [toolOf("Read", () => "done")], interceptors });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("cancellation", () => {
  it("W2 W3: reaches each running call's own signal with the caller's reason; what waits does not start", async () => {
    const caller = new AbortController();
    const barrier = createBarrier(2);
    const reasons: unknown[] = [];
    const read = toolOf("Read", async (_input, { toolCallId, signal }) => {
      if (toolCallId === "call-0") return "done";
      const stopped = once(signal, "abort");
      await barrier.arrive();
      await stopped;
      reasons.push(signal.reason);
      throw signal.reason;
    });
    const running = executeTools(callsOf(5), { tools: [read], maxConcurrency: 2, signal: caller.signal });
    await within(barrier.complete, "two calls to run");
    caller.abort("stop it");
    const results = await running;
    expect(reasons).toEqual(["stop it", "stop it"]);
    expect(results.map(({ summary, isError }) => ({ summary, isError }))).toEqual([
      { summary: "done", isError: false },
      ...Array(4).fill({ summary: "cancelled", isError: true }),
    ]);
    expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  });

  it("W2 W3: before the batch runs nothing and asks nobody", async () => {
    const results = await executeTools(callsOf(2), {
      tools: [toolOf("Read", mustNotRun)],
      interceptors: [{ preToolCall: mustNotRun, postToolCall: mustNotRun }],
      signal: AbortSignal.abort(),
    });
    expect(results).toMatchObject([{ summary: "cancelled" }, { summary: "cancelled" }]);
  });
});

describe("what is late", () => {
  it("W2 W10: rejects nobody: no tool, no interceptor, no listener leaves an unhandled rejection", async () => {
    const unhandled: unknown[] = [];
    const record = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", record);
    const late = createDeferred();
    let rejected = 0;
    const rejectLate = async () => {
      await late.promise;
      rejected += 1;
      throw new Error("late");
    };
    const caller = new AbortController();
    const tools = [
      toolOf("Slow", rejectLate, { timeoutMs: 1 }),
      toolOf("Cancelled", rejectLate),
      toolOf("Fast", () => "done"),
    ];
    const calls = tools.map(({ name }) => ({ toolCallId: name, toolName: name, input: {} }));
    const running = executeTools(calls, {
      tools,
      signal: caller.signal,
      interceptorTimeoutMs: 1,
      interceptors: [
        { preToolCall: ({ toolName }) => (toolName === "Fast" ? rejectLate() : undefined) },
        {
          postToolCall({ toolName }) {
            if (toolName === "Slow") caller.abort();
            return rejectLate();
          },
        },
      ],
      onEvent: rejectLate,
    });
    await within(running, "the batch");
    late.resolve();
    await setImmediate();
    await setImmediate();
    process.off("unhandledRejection", record);
    expect(unhandled).toEqual([]);
    expect(rejected).toBeGreaterThan(6);
  });
});

function watch(...[calls, options]: Parameters<typeof executeTools>) {
  let isOver = false;
  const running = executeTools(calls, options).finally(() => {
    isOver = true;
  });
  return { running, isOver: () => isOver };
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function mustNotRun(): never {
  throw new Error("not to be called");
}
