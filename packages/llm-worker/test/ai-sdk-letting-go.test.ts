import { fromLanguageModel, type LanguageModel, type LanguageModelStreamReader } from "@pod/llm-worker/ai-sdk";
import { createDeferred, within } from "@pod/test-harness";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  ASK,
  type FakeEnding,
  type FakePart,
  finish,
  handMadeModel,
  streamAll,
  streamBlocks,
} from "./hand-made-model.js";

const hi: FakePart[] = [
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "hi" },
  { type: "text-end", id: "0" },
];
const HI = [{ type: "text", text: "hi" }];
const reason = new Error("enough");

describe("fromLanguageModel: letting go of a stream", () => {
  // Mutant seen to fail: cancelling in every case.
  it("after the finish waits for no end of the stream, and does not cut its connection, which serves again", async () => {
    const model = handMadeModel([...hi, finish()], { ending: "open" });
    expect(await streamBlocks(model)).toHaveLength(1);
    expect(model.cancelled).toEqual([]);
  });

  // Mutant seen to fail: no cancel in `finally`.
  it("cancels the stream where its reader stops early, and where it fails", async () => {
    const stopped = handMadeModel(hi, { ending: "open" });
    const signal = new AbortController().signal;
    for await (const part of fromLanguageModel(stopped).stream(ASK, { signal })) if (part.type === "text-delta") break;
    expect(stopped.cancelled).toHaveLength(1);

    const failed = handMadeModel([{ type: "error", error: "down" }], { ending: "open" });
    await expect(streamAll(failed)).rejects.toThrow();
    expect(failed.cancelled).toHaveLength(1);
  });

  it("asks nothing where the signal is aborted already", async () => {
    const model = handMadeModel([finish()]);
    await expect(streamAll(model, ASK, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(model.asked).toEqual([]);
  });

  // Mutant seen to fail: without the listener a model that does not heed the signal is waited for.
  it("an abort in mid-stream ends it with the signal's reason, though the model does not heed the signal", async () => {
    const model = handMadeModel(hi, { ending: "open" });
    await abortInMidStream(model);
    expect(model.cancelled).toEqual([reason]);
  });

  // Mutant seen to fail: the signal looked at after a read only, which waits for ever.
  it("an abort while a model is asked ends it, though the model does not heed the signal and answers", async () => {
    const { doStream, ...model } = handMadeModel([], { ending: "open" });
    const answered = createDeferred();
    const controller = new AbortController();
    const late: typeof doStream = (options) => answered.promise.then(() => doStream(options));
    const failing = streamAll({ ...model, doStream: late }, ASK, controller.signal);
    controller.abort(reason);
    answered.resolve();
    await expect(within(failing, "the abort")).rejects.toBe(reason);
    expect(model.cancelled).toEqual([reason]);
  });

  // Mutant seen to fail: `cancel().catch()`, which throws inside the listener, where nobody can catch it.
  it.each<[string, () => unknown]>([
    ["rejects", () => Promise.reject(new Error("no"))],
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["returns no promise", () => undefined],
    ["does not settle", () => new Promise(() => {})],
  ])("a reader whose cancel %s spoils neither an abort, nor an answer, nor an early end", async (_what, cancel) => {
    await abortInMidStream(withCancel(cancel, hi));
    expect(await streamBlocks(withCancel(cancel, [...hi, finish()]))).toEqual(HI);
    await expect(streamAll(withCancel(cancel, [{ type: "error", error: "down" }]))).rejects.toThrow("sense");
  });
});

describe("fromLanguageModel: a stream that goes on after its finish", () => {
  afterEach(() => void vi.useRealTimers());
  const useFakeTimers = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

  // Mutant seen to fail: no bound on the read to the end.
  it.each<[string, FakeEnding]>([
    ["says nothing more", { ending: "open" }],
    ["keeps itself alive", { ending: "pings" }],
  ])("is let go of after a while, where it %s", async (_what, ending) => {
    useFakeTimers();
    const model = handMadeModel([...hi, finish()], ending);
    expect(await streamBlocks(model)).toEqual(HI);
    await vi.advanceTimersByTimeAsync(900);
    expect(model.cancelled).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(model.cancelled).toHaveLength(1);
  });

  // Mutant seen to fail: parts not counted, so that the loop leaves the microtasks with the last of them.
  it("is let go of, and lets the process live, where its parts are ready at once", async () => {
    const model = handMadeModel([...hi, finish()], { ending: "flood" });
    expect(await streamBlocks(model)).toEqual(HI);
    await new Promise((resolve) => setImmediate(resolve));
    expect(model.cancelled).toHaveLength(1);
  });

  // Mutant seen to fail: the timer left behind.
  it.each<[string, FakeEnding]>([
    ["ends", { ending: "close" }],
    ["fails", { ending: new Error("read ECONNRESET") }],
  ])("is not let go of, and leaves no timer behind, where it %s", async (_what, ending) => {
    useFakeTimers();
    const model = handMadeModel([...hi, finish()], ending);
    expect(await streamBlocks(model)).toEqual(HI);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(model.cancelled).toEqual([]);
  });

  // Mutant seen to fail: a timer that is not unref'd.
  it("keeps no process alive by its timer", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    await streamBlocks(handMadeModel([...hi, finish()], { ending: "open" }));
    expect(timers.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
    timers.mockRestore();
  });

  // Mutant seen to fail: the listener removed with the finish.
  it("is let go of at once where the signal is aborted, and is not listened for any longer than it lasts", async () => {
    const open = handMadeModel([...hi, finish()], { ending: "open" });
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, "removeEventListener");
    await streamAll(open, ASK, controller.signal);
    controller.abort(reason);
    expect(open.cancelled).toEqual([reason]);
    await vi.waitFor(() => expect(removed).toHaveBeenCalledOnce());
  });
});

/** Aborts while the rest of the answer is waited for. */
async function abortInMidStream(model: LanguageModel): Promise<void> {
  const controller = new AbortController();
  const stream = fromLanguageModel(model).stream(ASK, { signal: controller.signal })[Symbol.asyncIterator]();
  expect(await stream.next()).toMatchObject({ value: { type: "text-delta" } });
  expect(await stream.next()).toMatchObject({ value: { type: "text" } });
  const next = stream.next();
  controller.abort(reason);
  await expect(within(next, "the abort")).rejects.toBe(reason);
}

/** A model whose stream is of no known class: its reader ends a waiting read all the same. */
function withCancel(cancel: () => unknown, parts: readonly FakePart[]): LanguageModel {
  const model = handMadeModel([]);
  const left = [...parts];
  const ended = createDeferred<{ done: true }>();
  const read = () => {
    const value = left.shift();
    return value === undefined ? ended.promise : Promise.resolve({ done: false, value });
  };
  const reader = {
    read,
    cancel() {
      ended.resolve({ done: true });
      return cancel();
    },
  };
  // Its type says what a reader must do, and foreign code may do otherwise.
  return { ...model, doStream: async () => ({ stream: { getReader: () => reader as LanguageModelStreamReader } }) };
}
