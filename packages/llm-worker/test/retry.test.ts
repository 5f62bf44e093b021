import { answer, type Fault, refuse, text, toolUse } from "@pod/test-harness";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createWorker, type LlmClient, LlmError, type LlmErrorDetails, type RetryOptions } from "../src/index.js";
import { eventsOfType, makeTool, resultsIn, statusesOf, withWorker } from "./support/with-worker.js";

afterEach(() => vi.restoreAllMocks());

const BLOCKS = [text("I look."), toolUse("Glob", { pattern: "*" })];

function broken(ending: Extract<Fault, { type: "broken-stream" }>["ending"], keptEvents?: number): Fault {
  return { type: "broken-stream", blocks: BLOCKS, ending, ...(keptEvents !== undefined && { keptEvents }) };
}

describe("a failure that may pass", () => {
  const faults: readonly (readonly [string, Fault, object])[] = [
    ...[408, 425, 429, 500, 502, 503, 504, 529].map(
      (status) => [`status ${status}`, refuse(status), { kind: "status", status }] as const,
    ),
    ["a reset before the first byte", { type: "no-answer", ending: "reset" }, { kind: "network" }],
    ["a reset in mid-stream", broken("reset"), { kind: "network" }],
    ["a reset after a whole text", broken("reset", 5), { kind: "network" }],
    ["an end before message_stop", broken("end"), { kind: "protocol" }],
    ["an end after the first event", broken("end", 1), { kind: "protocol" }],
    ["an end without any event", broken("end", 0), {}],
    ["an event that is malformed", broken("malformed"), { kind: "protocol" }],
    ["a first event that is malformed", broken("malformed", 0), {}],
    ["an error event in mid-stream", broken("error"), { kind: "status", status: 529, code: "overloaded_error" }],
    ["an error event that comes first", broken("error", 0), { kind: "status", status: 529, code: "overloaded_error" }],
  ];

  // Mutants seen to fail: each status taken out of the list; only `network` is retried; parts are kept across attempts.
  it.each(faults)("W11: %s is retried, and nothing of it is kept", (_name, fault, error) => {
    let executions = 0;
    const glob = makeTool("Glob", () => `execution ${++executions}`);
    return withWorker(
      { tools: [glob], script: [fault, answer(...BLOCKS), answer(text("Done."))] },
      async ({ worker, provider, events, clock }) => {
        expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
        const [first, second] = provider.requests;
        expect(second?.bodyText).toBe(first?.bodyText);
        expect(resultsIn(worker.history)).toMatchObject([{ summary: "execution 1" }]);
        expect(worker.history).toHaveLength(4);
        expect(eventsOfType(events, "retry")).toMatchObject([{ turn: 1, attempt: 1, delayMs: clock.waits[0], error }]);
      },
    );
  });
});

describe("a failure that stays", () => {
  it.each([400, 401, 402, 403, 404, 405, 422])("W11: status %i is not retried, and the next run goes on", (status) =>
    withWorker({ script: [refuse(status), answer(text("Done."))] }, async ({ worker, provider, clock, events }) => {
      await expect(worker.run("Look")).rejects.toMatchObject({ name: "LlmError", kind: "status", status });
      expect(clock.waits).toEqual([]);
      expect(eventsOfType(events, "retry")).toEqual([]);
      expect(await worker.run("Again")).toEqual({ type: "finished", text: "Done." });
      expect(statusesOf(provider)).toEqual([status, 200]);
    }),
  );

  it("W11: what is no LlmError is not retried, and comes out as it is", async () => {
    const fault = new Error("no key");
    const worker = createWorker({ client: failing(fault), tools: [], sleep: neverSleep });
    await expect(worker.run("Look")).rejects.toBe(fault);
  });
});

describe("deltas of a stream that dies", () => {
  // Mutant seen to fail: `retry` is not told.
  it("W11 W10: an observer that drops them at `retry` has what history has", () =>
    withWorker(
      { script: [broken("reset"), broken("error"), answer(text("I looked, "), text("and found."))] },
      async ({ worker, events }) => {
        await worker.run("Look");
        let shown = "";
        for (const event of events) {
          if (event.type === "text-delta") shown += event.text;
          if (event.type === "retry") shown = "";
        }
        expect(shown).toBe("I looked, and found.");
        const ofAttempts = events.filter(({ type }) => /delta|retry|request/.test(type)).map(({ type }) => type);
        const dedup = ofAttempts.filter((type, index) => type !== ofAttempts[index - 1]);
        const died = ["request-start", "text-delta", "request-end", "retry"];
        expect(dedup).toEqual([...died, ...died, "request-start", "text-delta", "request-end"]);
        expect(JSON.stringify(worker.history)).not.toContain("I look.");
      },
    ));

  // Mutant seen to fail: the end of the stream is taken for a finish.
  it("W11: a whole tool call before `finish` starts nothing", () => {
    const started: string[] = [];
    const glob = makeTool("Glob", () => {
      started.push("Glob");
      return "found";
    });
    const script = [broken("end"), broken("malformed"), answer(text("Done."))];
    return withWorker({ tools: [glob], script }, async ({ worker, events }) => {
      expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
      expect(started).toEqual([]);
      expect(eventsOfType(events, "tool-call")).toEqual([]);
    });
  });
});

describe("how often, and how long", () => {
  it.each([
    ["5 times by default", {}, 5],
    ["as often as maxAttempts says", { maxAttempts: 3 }, 3],
    ["once", { maxAttempts: 1 }, 1],
  ])("W11: asks %s", (_name, retry, attempts) =>
    withWorker({ script: () => refuse(529), retry }, async ({ worker, provider, clock, events }) => {
      await expect(worker.run("Look")).rejects.toMatchObject({ name: "LlmError", status: 529 });
      expect(provider.requests).toHaveLength(attempts);
      expect(clock.waits).toHaveLength(attempts - 1);
      expect(eventsOfType(events, "retry").map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual(
        clock.waits.map((delayMs, index) => [index + 1, delayMs]),
      );
      expect(worker.history).toEqual([{ role: "user", text: "Look" }]);
    }),
  );

  // Mutants seen to fail: a total of 200 s; the wait is not added; the total is not looked at.
  it.each([
    ["120 s in all by default", {}, "50", [50_000, 50_000]],
    ["as long as maxTotalMs says", { maxTotalMs: 60_000 }, "50", [50_000]],
    ["not at all where retry-after is beyond the total", {}, "121", []],
    ["where retry-after is within the total", {}, "110", [110_000]],
  ])("W11: waits %s", (_name, retry: RetryOptions, retryAfter, waits) => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    return withWorker(
      { script: () => refuse(429, { "retry-after": retryAfter }), retry },
      async ({ worker, provider, clock }) => {
        await expect(worker.run("Look")).rejects.toMatchObject({
          status: 429,
          retryAfterMs: Number(retryAfter) * 1000,
        });
        expect(clock.waits).toEqual(waits);
        expect(provider.requests).toHaveLength(waits.length + 1);
      },
    );
  });

  // Mutant seen to fail: the time of a request is not added.
  it("W11: counts the time that requests take", async () => {
    let time = 0;
    vi.spyOn(performance, "now").mockImplementation(() => time);
    const waits: number[] = [];
    // Hand-made: it takes its 50 seconds on a clock that a socket does not follow.
    const client = failing(new LlmError("down", { kind: "network" }), () => {
      time += 50_000;
    });
    const worker = createWorker({ client, tools: [], sleep: async (ms) => void waits.push(ms) });
    await expect(worker.run("Look")).rejects.toThrow("down");
    expect(waits).toHaveLength(2);
  });
});

describe("a sleep that fails", () => {
  it("W11: rejects the run with what it threw, and the next run goes on", () => {
    const fault = new Error("no clock");
    const script = [refuse(529), answer(text("Done."))];
    return withWorker({ script, sleep: () => Promise.reject(fault) }, async ({ worker }) => {
      await expect(worker.run("Look")).rejects.toBe(fault);
      expect(await worker.run("Again")).toEqual({ type: "finished", text: "Done." });
    });
  });
});

describe("how long each wait is", () => {
  const date = "Wed, 01 Jan 2025 00:00:00 GMT";
  it.each([
    ["in seconds", { "retry-after": "7" }, 7_000],
    ["in fractions of a second", { "retry-after": "1.5" }, 1_500],
    ["as a date", { date, "retry-after": "Wed, 01 Jan 2025 00:00:09 GMT" }, 9_000],
  ])("W11: at least what retry-after says %s", (_name, headers, ms) => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    return withWorker({ script: [refuse(429, headers), answer(text("Done."))] }, async ({ worker, clock }) => {
      await worker.run("Look");
      expect(clock.waits).toEqual([ms]);
    });
  });

  // Mutants seen to fail: no spread; 16 times at the first try; the spread goes beyond the time in all.
  it.each([
    ["nothing at all", 0, [1_000, 1_000, 1_000, 1_000]],
    ["as much again, then 16 and 256 times it", 1 - Number.EPSILON, [1_999, 16_999, 256_999, 724_002]],
  ])("W11: adds to retry-after %s, within the time in all", async (_name, random, waits) => {
    vi.spyOn(Math, "random").mockReturnValue(random);
    vi.spyOn(performance, "now").mockReturnValue(0);
    const refused = { kind: "status", status: 429, retryAfterMs: 1_000 } as const;
    expect(await waitsOf(refused, { maxAttempts: 5, maxTotalMs: 1_000_000 })).toEqual(waits);
  });

  it.each([
    ["of now", { "retry-after": "0" }],
    ["in the past", { date, "retry-after": "Tue, 31 Dec 2024 23:59:59 GMT" }],
    ["that makes no sense", { "retry-after": "soon" }],
    ["that is negative", { "retry-after": "-5" }],
  ])("W11: jitter, where retry-after is one %s", (_name, headers) => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    return withWorker({ script: [refuse(429, headers), answer(text("Done."))] }, async ({ worker, clock }) => {
      await worker.run("Look");
      expect(clock.waits).toEqual([500]);
    });
  });

  it.each([Number.NaN, -1, Number.NEGATIVE_INFINITY])("W11: jitter, where a client says %d", async (retryAfterMs) => {
    // Hand-made: no header comes out as such a number.
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    expect(await waitsOf({ kind: "status", status: 429, retryAfterMs }, { maxAttempts: 3 })).toEqual([500, 1_000]);
  });

  // Mutants seen to fail: half of the time is fixed ("equal jitter"); the time does not double; no upper bound.
  it.each([
    ["nothing", 0, [0, 0, 0, 0, 0, 0, 0]],
    ["nearly the whole time", 1 - Number.EPSILON, [999, 1_999, 3_999, 7_999, 15_999, 29_999, 29_999]],
  ])("W11: may be %s of what doubles up to 30 s", async (_name, random, waits) => {
    vi.spyOn(Math, "random").mockReturnValue(random);
    expect(await waitsOf({ kind: "network" }, { maxAttempts: 8 })).toEqual(waits);
  });

  // Mutant seen to fail: `2 ** attempt`.
  it("W11: is within the bounds of full jitter, for any number of attempts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), async (maxAttempts) => {
        const waits = await waitsOf({ kind: "network" }, { maxAttempts });
        expect(waits).toHaveLength(maxAttempts - 1);
        for (const [index, waitMs] of waits.entries()) {
          expect(waitMs).toBeGreaterThanOrEqual(0);
          expect(waitMs).toBeLessThanOrEqual(Math.min(30_000, 2 ** index * 1_000));
        }
      }),
      // Runs of about six waits each.
      { numRuns: process.env.CI ? 2_000 : 200 },
    );
  });

  it("W11: differs from worker to worker, over the whole range", async () => {
    const workers = Array.from({ length: 500 }, () => waitsOf({ kind: "network" }, { maxAttempts: 2 }));
    const waits = (await Promise.all(workers)).flat().sort((a, b) => a - b);
    expect(new Set(waits).size).toBeGreaterThan(200);
    expect(waits.at(0)).toBeLessThan(100);
    expect(waits.at(-1)).toBeGreaterThan(900);
  });
});

/** The waits of a run against a provider that always fails so. Hand-made, for numbers that no socket is needed for. */
async function waitsOf(details: LlmErrorDetails, retry: RetryOptions): Promise<readonly number[]> {
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  const worker = createWorker({
    client: failing(new LlmError("down", details)),
    tools: [],
    retry: { maxTotalMs: 2 ** 31 - 1, ...retry },
    sleep,
  });
  await expect(worker.run("Look")).rejects.toThrow("down");
  return waits;
}

function failing(error: Error, onRequest: () => void = () => {}): LlmClient {
  return {
    stream: () => {
      onRequest();
      throw error;
    },
  };
}

function neverSleep(): Promise<void> {
  throw new Error("there was nothing to wait for");
}
