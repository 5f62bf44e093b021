import { once } from "node:events";
import { BatchAbortedError, createWorker, executeTools, type Interceptor, type ToolCall } from "@pod/llm-worker";
import { withProvider } from "@pod/test-harness";
import { describe, expect, it } from "vitest";
import { askFor, type BatchOptions, ways } from "./support/through-both.js";
import { toolOf } from "./support/tool-of.js";
import { realClient, resultsIn } from "./support/with-worker.js";

const ids = ["call-1", "call-2", "call-3"];
const calls: readonly ToolCall[] = ids.map((toolCallId) => ({ toolCallId, toolName: "Read", input: {} }));

describe.each(ways)("through %s", (_way, runBatch) => {
  it("W2 W3: an abort before a call starts none, asks about no other, and leaves one result per call", async () => {
    const asked: string[] = [];
    const seen = await runBatch(calls, {
      tools: [toolOf("Read", mustNotRun)],
      interceptors: [
        {
          preToolCall({ toolCallId }) {
            asked.push(toolCallId);
            return toolCallId === "call-2" ? { type: "abort", reason: "the user said no" } : undefined;
          },
          postToolCall: mustNotRun,
        },
      ],
    });
    expect(asked).toEqual(["call-1", "call-2"]);
    expect(seen.abortReason).toBe("the user said no");
    expect(seen.results).toEqual(ids.map((toolCallId) => aborted(toolCallId, "the user said no")));
    expectTold(seen);
  });

  // Mutant seen to fail: the draft of a call whose interceptor aborted becomes its result.
  it("W2 W3: an abort after a call keeps what is finished, stops what runs, and starts nothing more", async () => {
    const log: string[] = [];
    const seen = await runBatch(calls, {
      maxConcurrency: 2,
      tools: [
        toolOf("Read", async (_input, { toolCallId, signal }) => {
          log.push(`starts ${toolCallId}`);
          if (toolCallId !== "call-2") return `done ${toolCallId}`;
          await once(signal, "abort");
          log.push(`stops ${toolCallId}`);
          return "CANARY";
        }),
      ],
      interceptors: [
        {
          postToolCall: ({ toolCallId }) => (toolCallId === "call-3" ? { type: "abort", reason: "enough" } : undefined),
        },
      ],
    });
    expect(log).toEqual(["starts call-1", "starts call-2", "starts call-3", "stops call-2"]);
    expect(seen.results).toEqual([
      { toolCallId: "call-1", toolName: "Read", summary: "done call-1", isError: false },
      aborted("call-2", "enough"),
      aborted("call-3", "enough"),
    ]);
    expect(seen.everything).not.toMatch(/CANARY|done call-3/);
    expectTold(seen);
  });

  // Mutant seen to fail: a draft that was not looked at to the end becomes the result.
  it("W2: withholds an output that another interceptor had not yet seen when one aborts", async () => {
    const seen = await runBatch(calls.slice(0, 2), {
      tools: [toolOf("Read", (_input, { toolCallId }) => `CANARY ${toolCallId}`)],
      interceptors: [
        {
          postToolCall: ({ toolCallId }) =>
            toolCallId === "call-1" ? new Promise<never>(() => {}) : { type: "abort", reason: "enough" },
        },
      ],
    });
    expect(seen.results).toEqual([aborted("call-1", "enough"), aborted("call-2", "enough")]);
    expect(seen.everything).not.toContain("CANARY");
  });

  // Mutant seen to fail: the last one counts.
  it("W2: the first of several aborts counts", async () => {
    const seen = await runBatch(calls, {
      tools: [toolOf("Read", () => "done")],
      interceptors: [{ postToolCall: ({ toolCallId }) => ({ type: "abort", reason: toolCallId }) }],
    });
    expect(seen.abortReason).toBe("call-1");
    expect(seen.results).toEqual(ids.map((toolCallId) => aborted(toolCallId, "call-1")));
  });

  it("W2 W13: what an abort, a skip and an edit say is made well-formed", async () => {
    const words = (word: string) => `${word}\uD800`;
    const decisions: Record<string, ReturnType<NonNullable<Interceptor["preToolCall"]>>> = {
      "call-1": { type: "skip", reason: words("skip") },
      "call-2": { type: "answer", output: { summary: words("answer"), content: { [words("key")]: words("value") } } },
    };
    const seen = await runBatch(calls, {
      tools: [toolOf("Read", () => "done")],
      interceptors: [
        {
          preToolCall: ({ toolCallId }) => decisions[toolCallId],
          postToolCall: ({ toolCallId }) =>
            toolCallId === "call-3" ? { type: "edit", summary: words("edit"), content: words("content") } : undefined,
        },
      ],
    });
    expect(seen.received.map(({ text }) => text)).toEqual([
      "skip\uFFFD",
      'answer\uFFFD\n{"key\uFFFD":"value\uFFFD"}',
      "edit\uFFFD\ncontent\uFFFD",
    ]);
  });
});

describe("an abort", () => {
  const aborting: BatchOptions = {
    tools: [toolOf("Read", () => "done")],
    interceptors: [{ preToolCall: () => ({ type: "abort", reason: "the user said no" }) }],
  };

  it("W2: rejects executeTools with the reason and the results, after observers were told of them", async () => {
    const told: unknown[] = [];
    const rejected = executeTools(calls, {
      ...aborting,
      onEvent: (event) => void (event.type === "tool-result" && told.push(event.result)),
    });
    const error = await rejected.catch((thrown: unknown) => thrown);
    if (!(error instanceof BatchAbortedError)) return expect.fail(String(error));
    expect(error.message).toContain("the user said no");
    expect(error.reason).toBe("the user said no");
    expect(error.results).toEqual(ids.map((toolCallId) => aborted(toolCallId, "the user said no")));
    expect(Object.isFrozen(error.results)).toBe(true);
    expect(told).toEqual(error.results);
  });

  it("W2 W3: resolves a run to aborted, and the next run goes on from a history that the provider accepts", async () => {
    await withProvider({ script: askFor(calls) }, async (provider) => {
      const worker = createWorker({ ...aborting, client: realClient(provider) });
      expect(await worker.run("go")).toEqual({ type: "aborted", reason: "the user said no" });
      expect(resultsIn(worker.history).map(({ toolCallId }) => toolCallId)).toEqual(ids);
      expect(provider.requests).toHaveLength(1);
      expect(await worker.run("go on")).toEqual({ type: "finished", text: "done" });
      expect(provider.requests.map(({ status }) => status)).toEqual([200, 200]);
    });
  });
});

function aborted(toolCallId: string, reason: string): object {
  return { toolCallId, toolName: "Read", summary: `aborted: ${reason}`, isError: true };
}

function expectTold({ results, received, events }: Awaited<ReturnType<(typeof ways)[number][1]>>): void {
  expect(received.map(({ toolCallId, isError }) => ({ toolCallId, isError }))).toEqual(
    results.map(({ toolCallId, isError }) => ({ toolCallId, isError })),
  );
  expect(events.flatMap((event) => (event.type === "tool-result" ? [event.result] : []))).toEqual(results);
}

function mustNotRun(): never {
  throw new Error("this call was not to be executed");
}
