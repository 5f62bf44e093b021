import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import {
  answer,
  createDeferred,
  type Reply,
  refuse,
  type Script,
  text,
  toolUse,
  within,
  withProvider,
} from "@pod/test-harness";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorker, type ToolResult, type WorkerEvent, type WorkerOptions } from "../src/index.js";
import { makeTool, realClient, resultsIn, type Stage, statusesOf, withWorker } from "./support/with-worker.js";

const CALLS = answer(text("I look."), toolUse("A", {}, "a"), toolUse("B", {}, "b"), toolUse("C", {}, "c"));

const KEPT = { summary: "done", isError: false };
const CANCELLED = { summary: "cancelled", isError: true };

/** One place in a run at which it is cancelled. */
interface AwaitPoint extends Partial<WorkerOptions> {
  /** What the provider answers; a function is called when it has been asked. */
  readonly replies?: readonly (Reply | (() => Reply))[];
  /** What came of the three calls; none where the run did not come to them. */
  readonly results: readonly Partial<ToolResult>[];
}

type MakePoint = (cancel: () => void) => AwaitPoint;

const unhandled: unknown[] = [];
const noteUnhandled = (reason: unknown) => void unhandled.push(reason);
beforeEach(() => void process.on("unhandledRejection", noteUnhandled));
afterEach(() => void process.off("unhandledRejection", noteUnhandled));

describe("a run that is cancelled", () => {
  const never = () => new Promise<never>(() => {});
  const onEvent = (type: WorkerEvent["type"], cancel: () => void) => ({
    onEvent: (event: WorkerEvent) => {
      if (event.type === type) cancel();
    },
  });
  const done = (name: string) => makeTool(name, () => "done");
  const allDone = [done("A"), done("B"), done("C")];
  const neverStarts = (name: string) =>
    makeTool(name, () => {
      throw new Error(`${name} was started`);
    });
  const noneStarts = ["A", "B", "C"].map(neverStarts);

  const points: readonly (readonly [string, MakePoint])[] = [
    ["before the request", (cancel) => ({ ...onEvent("turn-start", cancel), replies: [], results: [] })],
    [
      "before the first byte",
      (cancel) => ({
        replies: [
          () => {
            cancel();
            return { type: "no-answer", ending: "hang" };
          },
        ],
        results: [],
      }),
    ],
    [
      "in mid-stream, after a whole tool call",
      (cancel) => ({
        ...onEvent("text-delta", cancel),
        tools: noneStarts,
        replies: [{ type: "broken-stream", blocks: [toolUse("A", {}, "a"), text("I look.")], ending: "hang" }],
        results: [],
      }),
    ],
    [
      "while a retry sleeps that heeds the signal",
      (cancel) => ({
        sleep: (_ms, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
            cancel();
          }),
        replies: [refuse(529)],
        results: [],
      }),
    ],
    [
      "while a retry sleeps that does not heed the signal",
      (cancel) => ({
        sleep: () => {
          cancel();
          return never();
        },
        replies: [refuse(529)],
        results: [],
      }),
    ],
    [
      "while a pre-tool interceptor is asked",
      (cancel) => ({
        tools: noneStarts,
        interceptors: [
          {
            preToolCall: ({ toolName }) => {
              if (toolName !== "B") return undefined;
              cancel();
              return never();
            },
          },
        ],
        results: [CANCELLED, CANCELLED, CANCELLED],
      }),
    ],
    [
      "while calls run, one of them finished, one deaf to the signal",
      (cancel) => ({
        tools: [
          done("A"),
          makeTool("B", async (_input, { signal }) => {
            const heard = createDeferred();
            signal.addEventListener("abort", () => heard.resolve());
            await heard.promise;
            signal.throwIfAborted();
            return "too late";
          }),
          makeTool("C", async () => {
            // Everything that A still had to do is done when the event loop comes round.
            await setImmediate();
            cancel();
            return never();
          }),
        ],
        results: [KEPT, CANCELLED, CANCELLED],
      }),
    ],
    [
      "while a post-tool interceptor is asked",
      (cancel) => ({
        tools: [done("A"), makeTool("B", () => "the output that is withheld"), makeTool("C", never)],
        interceptors: [
          {
            postToolCall: async ({ toolName }) => {
              if (toolName !== "B") return;
              await setImmediate();
              cancel();
              await never();
            },
          },
        ],
        results: [KEPT, CANCELLED, CANCELLED],
      }),
    ],
    [
      "while calls are queued",
      (cancel) => ({
        maxConcurrency: 1,
        tools: [
          done("A"),
          makeTool("B", () => {
            cancel();
            return never();
          }),
          neverStarts("C"),
        ],
        results: [KEPT, CANCELLED, CANCELLED],
      }),
    ],
    [
      "between a batch and the next request",
      (cancel) => ({ tools: allDone, ...onEvent("tool-result", cancel), results: [KEPT, KEPT, KEPT] }),
    ],
  ];

  // Mutants seen to fail: the results of a cancelled batch are not appended; BatchStop, or runBounded, leaves its
  // listener; a finished result is replaced; an output that an interceptor has not passed is kept.
  it.each(points)("W3: %s keeps what has finished and closes the rest", (_name, makePoint) => {
    const controller = new AbortController();
    const { replies = [CALLS], results, ...options } = makePoint(() => controller.abort());
    const inOrder = [...replies, answer(text("Here again."))];
    const script: Script = (_request, turn) => {
      const reply = inOrder[turn] ?? refuse(400);
      return typeof reply === "function" ? reply() : reply;
    };
    return withWorker({ tools: allDone, ...options, script }, async (stage) => {
      const run = stage.worker.run("Look", { signal: controller.signal });
      expect(await within(run, "the cancelled run")).toEqual({ type: "cancelled" });
      expect(resultsIn(stage.worker.history)).toMatchObject(results);
      expect(resultsIn(stage.worker.history)).toHaveLength(results.length);
      expect(JSON.stringify([stage.worker.history, stage.events])).not.toContain("withheld");
      await expectSound(stage, controller.signal);
    });
  });

  it("W3: from the start sends nothing and holds the input", () =>
    withWorker({ script: [answer(text("Here again."))] }, async (stage) => {
      const signal = AbortSignal.abort();
      expect(await stage.worker.run("Look", { signal })).toEqual({ type: "cancelled" });
      expect(stage.worker.history).toEqual([{ role: "user", text: "Look" }]);
      expect(stage.provider.requests).toEqual([]);
      await expectSound(stage, signal);
    }));

  // Mutant seen to fail: the timer does not get the signal.
  it("W11: wakes from the sleep that the worker has of its own", () =>
    withProvider({ script: () => refuse(429, { "retry-after": "100" }) }, async (provider) => {
      const controller = new AbortController();
      let timersBefore = 0;
      const cancel = () => {
        timersBefore = countTimers();
        controller.abort();
      };
      const worker = createWorker({
        client: realClient(provider),
        tools: [],
        // The sleep begins when the event has been told.
        onEvent: ({ type }) => (type === "retry" ? queueMicrotask(cancel) : undefined),
      });
      expect(await worker.run("Look", { signal: controller.signal })).toEqual({ type: "cancelled" });
      expect(countTimers()).toBe(timersBefore - 1);
      await expectNoListener(controller.signal);
    }));
});

describe("a run that is not cancelled", () => {
  it("W3: leaves no listener on a signal that serves many runs", () =>
    withWorker(
      {
        tools: ["A", "B", "C"].map((name) => makeTool(name, () => "done")),
        script: [CALLS, refuse(529), answer(text("Done.")), refuse(403), answer(text("Done."))],
      },
      async ({ worker }) => {
        const { signal } = new AbortController();
        await worker.run("Look", { signal });
        await expectNoListener(signal);
        await expect(worker.run("Again", { signal })).rejects.toThrow();
        await worker.run("And again", { signal });
        await expectNoListener(signal);
      },
    ));
});

/** History is fit to go on, and nothing is left of the run. */
async function expectSound({ worker, provider }: Stage, signal: AbortSignal): Promise<void> {
  await expectNoListener(signal);
  expect(await worker.run("Go on")).toEqual({ type: "finished", text: "Here again." });
  expect(statusesOf(provider)).not.toContain(400);
  expect(unhandled).toEqual([]);
}

async function expectNoListener(signal: AbortSignal): Promise<void> {
  // What is rejected and not handled is told when the event loop comes round.
  await setImmediate();
  expect(getEventListeners(signal, "abort")).toEqual([]);
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
}
