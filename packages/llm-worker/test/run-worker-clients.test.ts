import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { createDeferred, within } from "@pod/test-harness";
import { describe, expect, it } from "vitest";
import { createWorker, type LlmClient, LlmError, type LlmStreamPart, type WorkerEvent } from "../src/index.js";
import { makeTool, resultsIn } from "./support/with-worker.js";

// All clients here are made by hand: they do what the real one does not.

const finish = { type: "finish", usage: {} } as const;
const call = { type: "tool-call", toolCallId: "a", toolName: "Glob", input: {} } as const;
const done = [{ type: "text", text: "Done." }, finish] as const;

/** A client whose answers are iterables of what may be anything; after the last, each answer is `done`. */
function clientOf(...answers: readonly (() => unknown)[]): LlmClient {
  let turn = 0;
  return {
    stream: () => {
      const answer = answers[turn++] ?? (() => streamOf(...done));
      return answer() as AsyncIterable<LlmStreamPart>;
    },
  };
}

async function* streamOf(...parts: readonly unknown[]): AsyncGenerator<unknown> {
  yield* parts;
}

function workerOf(client: LlmClient) {
  const started: string[] = [];
  const events: WorkerEvent[] = [];
  const worker = createWorker({
    client,
    tools: [makeTool("Glob", () => `start ${started.push("Glob")}`)],
    sleep: async () => {},
    retry: { maxAttempts: 2 },
    onEvent: (event) => void events.push(event),
  });
  return { worker, events, started };
}

const throwing = () => {
  throw new Error("unreadable");
};
const part = (fields: object) => [fields, finish];

describe("an answer that makes no sense", () => {
  const senseless: readonly (readonly [string, () => unknown])[] = [
    ["ends without a finish", () => streamOf({ type: "text", text: "cut" })],
    ["ends at once", () => streamOf()],
    ["ends without a finish, after a whole call", () => streamOf(call)],
    ["yields nothing as a part", () => streamOf(...part(Object(undefined)))],
    ["yields undefined", () => streamOf(undefined, finish)],
    ["yields a string", () => streamOf("text", finish)],
    ["yields a part of an unknown type", () => streamOf(...part({ type: "image" }))],
    ["yields a text that is none", () => streamOf(...part({ type: "text", text: 5 }))],
    ["yields a thought that is none", () => streamOf(...part({ type: "reasoning" }))],
    ["yields a call without a name", () => streamOf(...part({ type: "tool-call", toolCallId: "a", input: {} }))],
    [
      "yields what cannot be read",
      () =>
        streamOf({
          get type() {
            return throwing();
          },
        }),
    ],
    ["yields a delta that is no text", () => streamOf({ type: "text-delta", text: Object.create(null) }, finish)],
    ["reports no done", () => ({ [Symbol.asyncIterator]: () => ({ next: async () => undefined }) })],
    ["is no iterable", () => ({})],
    ["is nothing", () => undefined],
  ];

  // Mutants seen to fail: junk is passed over; an end is a finish.
  it.each(senseless)(
    "W11 W3: that %s leaves nothing of itself in history, and starts no tool",
    async (_name, broken) => {
      let answer = broken;
      const { worker, started } = workerOf({ stream: () => answer() as AsyncIterable<LlmStreamPart> });
      await expect(worker.run("Look")).rejects.toThrow();
      expect(worker.history).toEqual([{ role: "user", text: "Look" }]);
      expect(started).toEqual([]);
      answer = () => streamOf(...done);
      expect(await worker.run("Again")).toEqual({ type: "finished", text: "Done." });
    },
  );

  it.each(senseless.slice(0, 12))(
    "W11: that %s counts as one that did not come whole: it is asked for again",
    async (_name, answer) => {
      const { worker, events } = workerOf(clientOf(answer));
      expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
      expect(events.filter(({ type }) => type === "retry")).toMatchObject([{ error: { kind: "protocol" } }]);
    },
  );
});

describe("a client that throws", () => {
  it.each([
    ["when it is asked", () => throwing()],
    ["when it is iterated", () => ({ [Symbol.asyncIterator]: throwing })],
    ["at the first part", () => ({ [Symbol.asyncIterator]: () => ({ next: throwing }) })],
    ["in mid-stream", () => thenThrow([{ type: "text", text: "cut" }, call], new Error("unreadable"))],
    ["what is no error", () => thenThrow([], "unreadable")],
  ])("W11 W3: %s, what is no LlmError, rejects the run with it; the next one goes on", async (_name, answer) => {
    const { worker, started } = workerOf(clientOf(answer));
    await expect(worker.run("Look")).rejects.toEqual(expect.toSatisfy((error) => String(error).includes("unreadable")));
    expect(started).toEqual([]);
    expect(worker.history).toEqual([{ role: "user", text: "Look" }]);
    expect(await worker.run("Again")).toEqual({ type: "finished", text: "Done." });
  });

  it("W11: an LlmError, whatever was yielded before, is retried", async () => {
    const { worker } = workerOf(clientOf(() => thenThrow([call], new LlmError("down", { kind: "network" }))));
    expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
    expect(worker.history).toHaveLength(2);
  });
});

describe("a client that does more than it should", () => {
  it("W3: yields after its finish: that is not read", async () => {
    const { worker, started } = workerOf(
      clientOf(() => streamOf(...done, call, { type: "text", text: "more" }, finish)),
    );
    expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
    expect(started).toEqual([]);
  });

  // Mutant seen to fail: `return()` is waited for.
  it.each([
    ["never settles", () => new Promise<never>(() => {})],
    ["throws", throwing],
    ["rejects", () => Promise.reject(new Error("return"))],
  ])("W3: has a stream whose return() %s: nobody waits for it", async (_name, close) => {
    const stream = () => {
      const parts = streamOf(...done);
      return { [Symbol.asyncIterator]: () => ({ next: () => parts.next(), return: close }) };
    };
    const { worker } = workerOf(clientOf(stream));
    expect(await within(worker.run("Look"), "the run")).toEqual({ type: "finished", text: "Done." });
    await setImmediate();
  });

  // Mutant seen to fail: the stream is not let go.
  it.each([
    ["has been read to its finish", [...done]],
    ["has turned out to be junk", [{ type: "image" }]],
  ])("W11: gets its stream back when it %s", async (_name, parts) => {
    let closed = 0;
    const stream = () => {
      const iterator = streamOf(...parts);
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => iterator.next(),
          return: async () => ({ done: true, value: closed++ }),
        }),
      };
    };
    const { worker } = workerOf(clientOf(stream));
    await worker.run("Look");
    expect(closed).toBe(1);
  });

  it("W9: changes what it has yielded, later: history has what it was", async () => {
    const input = { list: [1] };
    const metadata = { signature: "one" };
    const yielded = { type: "text", text: "Done.", providerMetadata: metadata };
    const { worker } = workerOf(clientOf(() => streamOf(yielded, { ...call, input }, finish)));
    await worker.run("Look");
    yielded.text = "changed";
    metadata.signature = "two";
    input.list.push(2);
    expect(worker.history[1]).toMatchObject({
      parts: [{ text: "Done.", providerMetadata: { signature: "one" } }, { input: { list: [1] } }],
    });
  });

  // Mutant seen to fail: the request is not frozen.
  it("W9: changes the request that it is given: it cannot", async () => {
    const attempts: unknown[] = [];
    const client: LlmClient = {
      async *stream(request) {
        const { messages, tools } = request;
        for (const change of [
          () => Object.assign(request, { messages: [] }),
          () => Object.assign(messages, { length: 0 }),
          () => Object.assign(messages[0] ?? {}, { text: "changed" }),
          () => Object.assign(tools, { length: 0 }),
          () => Object.assign(tools[0] ?? {}, { name: "changed" }),
          () => Object.assign(tools[0]?.inputSchema ?? {}, { type: "changed" }),
        ]) {
          try {
            attempts.push(change());
          } catch (error) {
            attempts.push(error);
          }
        }
        yield* done;
      },
    };
    const { worker } = workerOf(client);
    await worker.run("Look");
    expect(attempts).toEqual(Array.from({ length: 6 }, () => expect.any(TypeError)));
    expect(worker.history[0]).toEqual({ role: "user", text: "Look" });
  });

  it.each([
    [{}],
    [undefined],
    [null],
    ["much"],
    [{ inputTokens: "5", outputTokens: -1, cachedInputTokens: Number.NaN }],
  ])("W10: says that an answer cost %j: only counts are told", async (usage) => {
    const { worker, events } = workerOf(clientOf(() => streamOf(done[0], { type: "finish", usage })));
    expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
    expect(events.filter(({ type }) => type === "usage")).toEqual([{ type: "usage", usage: {} }]);
  });

  it("W3: repeats ids, leaves them out, or makes them of something else: they are made unique", async () => {
    const calls = ["a", "a", "", undefined, 5, null].map((toolCallId) => ({ ...call, toolCallId }));
    const { worker } = workerOf(clientOf(() => streamOf(...calls, finish)));
    await worker.run("Look");
    expect(resultsIn(worker.history).map(({ toolCallId }) => toolCallId)).toEqual([
      "a",
      "a-2",
      "call",
      "call-2",
      "call-3",
      "call-4",
    ]);
  });
});

describe("a client that is deaf to the signal", () => {
  const deaf: readonly (readonly [string, (asked: () => void) => unknown])[] = [
    [
      "and never yields",
      (asked) => ({
        [Symbol.asyncIterator]: () => ({
          next: () => {
            asked();
            return new Promise<never>(() => {});
          },
        }),
      }),
    ],
    [
      "and never ends",
      async function* (asked) {
        for (let told = 0; ; told++) {
          if (told === 3) asked();
          await setImmediate();
          yield { type: "text-delta", text: "on and on" };
        }
      },
    ],
    [
      "and answers all the same, with a call",
      async function* (asked) {
        asked();
        await setImmediate();
        yield call;
        yield finish;
      },
    ],
    [
      "and fails in the end",
      async function* (asked) {
        asked();
        await setImmediate();
        yield call;
        throw new Error("too late");
      },
    ],
  ];

  // Mutants seen to fail: the run waits for the stream; the stream is read on and its deltas are told.
  it.each(deaf)("W3 W11: %s: a cancelled run ends, and what comes later counts for nothing", async (_name, answer) => {
    const asked = createDeferred();
    const { worker, events, started } = workerOf(clientOf(() => answer(asked.resolve)));
    const controller = new AbortController();
    const run = worker.run("Look", { signal: controller.signal });
    await within(asked.promise, "the request");
    controller.abort();
    expect(await within(run, "the run")).toEqual({ type: "cancelled" });
    const toldBefore = events.length;
    for (let round = 0; round < 5; round++) await setImmediate();
    expect(events.slice(toldBefore)).toEqual([]);
    expect(started).toEqual([]);
    expect(worker.history).toEqual([{ role: "user", text: "Look" }]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    expect(await worker.run("Again")).toEqual({ type: "finished", text: "Done." });
  });
});

async function* thenThrow(parts: readonly unknown[], thrown: unknown): AsyncGenerator<unknown> {
  yield* parts;
  throw thrown;
}
