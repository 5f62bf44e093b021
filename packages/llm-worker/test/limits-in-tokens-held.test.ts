import { answer, text, toolUse } from "@pod/test-harness";
import { countUtf8Bytes } from "@pod/test-harness/laws";
import { createUsageCounter, type UsageCounter } from "@pod/token-counter";
import { describe, expect, it } from "vitest";
import { capHistory, createWorker, executeTools, LlmError, type Message, type WorkerEvent } from "../src/index.js";
import { receivedTexts } from "../src/messages.js";
import { memoryLog } from "./support/memory-log.js";
import { toolOf } from "./support/tool-of.js";
import { eventsOfType, resultsIn, withWorker } from "./support/with-worker.js";

const big = toolOf("Read", () => ({ summary: "read", content: "x".repeat(90_000) }));
const calls = [{ toolCallId: "call-1", toolName: "Read", input: {} }];
const inTokens = { defaultMaxBytes: 20_000, defaultMaxTokens: 5_000, perTool: {} };
const light = { count: (value: string) => countUtf8Bytes(value) / 4 };
const heavy = { count: countUtf8Bytes };

describe("the ceiling", () => {
  // Mutant seen to fail: what comes back from a log held to its bytes, not to the ceiling.
  it("W16 W20: holds for what comes back from a log", () => {
    const log = memoryLog(recorded.map((entry) => JSON.stringify(entry)));
    const toolOutput = {
      ...inTokens,
      defaultMaxBytes: 100_000,
      perTool: { Grep: { maxBytes: 90_000, maxTokens: 10 } },
    };
    return withWorker({ script: [answer(text("Done."))], log, tools: [big], toolOutput }, async ({ worker }) => {
      await worker.run("Go on");
      expect(resultsIn(worker.history).map(({ content = "" }) => countUtf8Bytes(content))).toEqual([20_000, 40]);
    });
  });
});

describe("a counter that changes its mind", () => {
  // Mutant seen to fail: what it says of the note the second time taken as it is, so that nothing is left.
  it("W7 W20: about a note costs no more than the note's quarter", async () => {
    let counts = 0;
    const counter = { count: () => (counts++ === 0 ? 1 : 1e9) };
    const noting = { postToolCall: () => ({ type: "edit", note: "n".repeat(400) }) as const };
    const toolOutput = { ...inTokens, defaultMaxTokens: 400 };
    const [result] = await executeTools(calls, { tools: [big], toolOutput, counter, interceptors: [noting] });
    expect(result).toMatchObject({ isError: false, summary: "read", note: "n".repeat(400) });
    expect(result?.truncation?.tokens?.maxTokens).toBe(299);
  });

  // Mutant seen to fail: what a lower limit in bytes cuts not counted.
  it("W9 W20: changes nothing in what a lower limit in bytes cut", () => {
    const lower = { ...inTokens, defaultMaxBytes: 10_000 };
    const once = capHistory(history, inTokens, { counter: light });
    const cut = capHistory(once, lower, { counter: light });
    expect(resultsIn(cut)[0]?.truncation?.tokens?.maxTokens).toBe(5_000);
    expect(capHistory(cut, lower, { counter: heavy })).toBe(cut);
  });

  // Mutant seen to fail: the history compared as it is capped now.
  it("W16 W20: does not make another history of the one that a log began with", () => {
    const log = memoryLog();
    const options = { log, history, tools: [big], toolOutput: inTokens };
    return withWorker({ ...options, script: [answer(text("Done."))], counter: light }, async (first) => {
      await first.worker.run("Go");
      await withWorker({ ...options, script: [answer(text("More."))], counter: heavy }, async ({ worker }) => {
        await worker.run("Go on");
        expect(worker.history.slice(0, first.worker.history.length)).toEqual(first.worker.history);
      });
    });
  });
});

// Mutant seen to fail: the summaries moved for the tokens alone, after the cut in bytes.
it.each([6_490, 6_000, 5_000])("W14 W20: a batch is within both budgets, of bytes and of %i tokens", async (most) => {
  const counter = { count: (value: string) => value.length / 4 + 0.75 * (value.split("d").length - 1) };
  const tools = Array.from({ length: 10 }, (_, index) =>
    toolOf(`tool-${index}`, () => ({ summary: (index === 0 ? "d" : "l").repeat(2_000) })),
  );
  const batch = tools.map(({ name }, index) => ({ toolCallId: `call-${index}`, toolName: name, input: {} }));
  const toolOutput = { defaultMaxBytes: 20_000, perTool: {}, turnMaxBytes: 20_050, turnMaxTokens: most };
  const results = await executeTools(batch, { tools, toolOutput, counter });
  const received = results.map(receivedTexts);
  const sum = (measure: (value: string) => number) =>
    received.flatMap((texts) => [texts.length - 1, ...texts.map(measure)]).reduce((total, each) => total + each);
  expect(sum(countUtf8Bytes)).toBeLessThanOrEqual(20_050);
  expect(sum((value) => Math.ceil(counter.count(value)))).toBeLessThanOrEqual(most);
});

describe("a usage counter of the host's", () => {
  const failing = (): never => {
    throw new Error("the disk is full");
  };

  // Mutants seen to fail: what `learn` throws ends the run; nobody is told.
  it("W20: that throws when it learns is told of once, and the run goes on", () => {
    const counter: UsageCounter = { ...createUsageCounter(), learn: failing };
    const script = [1, 2, 3].map((n) => answer(toolUse("Read", { n })));
    return withWorker({ script: [...script, answer(text("Done."))], tools: [big], counter }, async (stage) => {
      expect(await stage.worker.run("Go")).toEqual({ type: "finished", text: "Done." });
      expect(eventsOfType(stage.events, "counter-failed")).toHaveLength(1);
    });
  });

  // Mutant seen to fail: what it throws thrown in place of the provider's refusal.
  it("W12 W20: that throws when it is asked what is typical is told of once, and the refusal stays what it is", async () => {
    const events: WorkerEvent[] = [];
    const counter: UsageCounter = { ...createUsageCounter(), typicalBytesPerToken: failing };
    const refusal = { kind: "status", status: 429, inputTokenLimit: 30_000 } as const;
    const client = {
      stream: () => {
        throw new LlmError("too many", refusal);
      },
    };
    const onEvent = (event: WorkerEvent) => void events.push(event);
    const worker = createWorker({
      client,
      tools: [],
      counter,
      retry: { maxAttempts: 2 },
      sleep: async () => {},
      onEvent,
    });
    await expect(worker.run("Go")).rejects.toThrow(LlmError);
    expect(eventsOfType(events, "counter-failed")).toHaveLength(1);
  });

  // Mutant seen to fail: a counter that learns not told of.
  it("W20: that throws for a tool is told of, too", async () => {
    const events: WorkerEvent[] = [];
    const counter: UsageCounter = { ...createUsageCounter(), forTool: () => ({ count: failing }) };
    const onEvent = (event: WorkerEvent) => void events.push(event);
    const [result] = await executeTools(calls, { tools: [big], toolOutput: inTokens, counter, onEvent });
    expect(countUtf8Bytes(result?.content ?? "")).toBeLessThanOrEqual(5_000);
    expect(eventsOfType(events, "counter-failed")).toHaveLength(1);
  });
});

const parts = [
  { type: "tool-call", toolCallId: "call-1", toolName: "Read", input: {} },
  { type: "tool-call", toolCallId: "call-2", toolName: "Grep", input: {} },
] as const;
const results = parts.map(({ toolCallId, toolName }) => {
  return { toolCallId, toolName, summary: "read", content: "x".repeat(90_000), isError: false };
});
const history: readonly Message[] = [
  { role: "user", text: "Go" },
  { role: "assistant", parts },
  { role: "tool", results },
];
const recorded = [
  { type: "message", message: history[0] },
  { type: "message", message: history[1] },
  ...results.map((result) => ({ type: "call-finished", result })),
  { type: "batch-finished", lowered: [] },
];
