import { answer, text, toolUse } from "@pod/test-harness";
import { countUtf8Bytes } from "@pod/test-harness/laws";
import { createUsageCounter } from "@pod/token-counter";
import { describe, expect, it } from "vitest";
import { createWorker, executeTools, InvalidOptionsError, type WorkerEvent } from "../src/index.js";
import { memoryLog } from "./support/memory-log.js";
import { toolOf } from "./support/tool-of.js";
import { eventsOfType, resultsIn, withWorker } from "./support/with-worker.js";

const PATHS = Array.from({ length: 2_000 }, (_, index) => `packages/tool-output-cap/src/file-${index}.ts`).join("\n");
const inTokens = { defaultMaxBytes: 8_000, defaultMaxTokens: 2_000, perTool: {} };
const glob = toolOf("Glob", () => ({ summary: "2000 paths", content: PATHS }));
const calls = [{ toolCallId: "call-1", toolName: "Glob", input: {} }];

describe("without a counter", () => {
  // Mutant seen to fail: no default counter, so that the cap throws.
  it("W20: counts as a usage counter does that has learned nothing: 1.8 bytes a token", async () => {
    const [result] = await executeTools(calls, { tools: [glob], toolOutput: inTokens });
    expect(countUtf8Bytes(result?.content ?? "")).toBeLessThanOrEqual(3_600);
    expect(countUtf8Bytes(result?.content ?? "")).toBeGreaterThan(3_500);
    expect(result?.content).toMatch(/\n\n\[truncated: ~\d+ tokens dropped, refine your query\]$/);
    expect(result?.truncation?.tokens).toMatchObject({ maxTokens: 2_000, estimated: true });
  });

  // Mutants seen to fail: the worker does not report; it reports no tool.
  it("W20: learns from what the provider reports, of each tool", () => {
    const counter = createUsageCounter();
    const prose = toolOf("Read", () => ({
      summary: "prose",
      content: "Seven quick words stand in this line.\n".repeat(400),
    }));
    const script = [
      ...[1, 2, 3, 4].map((n) => answer(toolUse("Glob", { n }))),
      ...[1, 2, 3, 4].map((n) => answer(toolUse("Read", { n }))),
      answer(text("Done.")),
    ];
    // Every text costs a token for 3 bytes.
    const account = { countTokens: (value: string) => Math.ceil(countUtf8Bytes(value) / 3) };
    return withWorker({ script, account, tools: [glob, prose], toolOutput: inTokens, counter }, async ({ worker }) => {
      await worker.run("Go");
      const sizes = resultsIn(worker.history).map(({ content = "" }) => countUtf8Bytes(content));
      expect(sizes.slice(0, 3).every((size) => size <= 3_600)).toBe(true);
      for (const learned of [sizes[3], sizes[7]]) {
        expect(learned).toBeGreaterThan(4_000);
        expect(learned).toBeLessThanOrEqual(6_000);
      }
      expect(counter.state().tools.map(({ name }) => name)).toEqual(["Glob", "Read"]);
    });
  });
});

describe("the host's counter", () => {
  it("W20: counts in place of the usage counter", async () => {
    const counter = { count: (value: string) => countUtf8Bytes(value) / 3 };
    const [result] = await executeTools(calls, { tools: [glob], toolOutput: inTokens, counter });
    expect(countUtf8Bytes(result?.content ?? "")).toBeGreaterThan(5_900);
  });

  it("W20: is told of once where it throws, without its words; what it does not count has as many tokens as bytes", async () => {
    const events: WorkerEvent[] = [];
    const counter = {
      count: (value: string): number => {
        throw new Error(value);
      },
    };
    const twice = [...calls, { toolCallId: "call-2", toolName: "Glob", input: {} }];
    const onEvent = (event: WorkerEvent) => void events.push(event);
    const results = await executeTools(twice, { tools: [glob], toolOutput: inTokens, counter, onEvent });
    expect(results.map(({ content = "" }) => countUtf8Bytes(content) <= 2_000)).toEqual([true, true]);
    expect(eventsOfType(events, "counter-failed")).toEqual([{ type: "counter-failed" }]);
  });

  // Mutant seen to fail: told only where it throws.
  it.each([Number.NaN, "5", undefined, Promise.resolve(5)])("W20: is told of once where it gives %j", async (value) => {
    const events: WorkerEvent[] = [];
    const wrong: unknown = value;
    const counter = { count: () => wrong as number };
    const onEvent = (event: WorkerEvent) => void events.push(event);
    const [result] = await executeTools(calls, { tools: [glob], toolOutput: inTokens, counter, onEvent });
    expect(countUtf8Bytes(result?.content ?? "")).toBeLessThanOrEqual(2_000);
    expect(eventsOfType(events, "counter-failed")).toHaveLength(1);
  });

  it.each([null, {}, { count: 5 }, () => 1])("W20: %j is refused when the worker is made", async (value) => {
    const wrong: unknown = value;
    const options = { tools: [glob], toolOutput: inTokens, counter: wrong as { count(text: string): number } };
    await expect(executeTools(calls, options)).rejects.toThrow(
      /counter: expected an object with count\(text\), which returns a number, received /,
    );
    expect(() => createWorker({ ...options, client: { stream: () => never() } })).toThrow(InvalidOptionsError);
  });
});

describe("the limits", () => {
  it.each([0, -1, 1.5, Number.NaN, 2 ** 31, "5"])("W6 W20: of %j tokens are refused, with the place", async (value) => {
    const wrong: unknown = value;
    const maxTokens = wrong as number;
    for (const [place, toolOutput] of [
      ["toolOutput\\.defaultMaxTokens", { ...inTokens, defaultMaxTokens: maxTokens }],
      ['toolOutput\\.perTool\\["Glob"\\]\\.maxTokens', { ...inTokens, perTool: { Glob: { maxBytes: 5, maxTokens } } }],
      ["toolOutput\\.turnMaxTokens", { ...inTokens, turnMaxTokens: maxTokens }],
    ] as const) {
      await expect(executeTools(calls, { tools: [glob], toolOutput })).rejects.toThrow(
        new RegExp(`${place}: expected an integer`),
      );
    }
  });

  // Mutants seen to fail: the smaller in bytes alone; the chosen tool's alone.
  it.each([
    [{ maxBytes: 8_000, maxTokens: 900 }, 4_000],
    [4_000, { maxBytes: 8_000, maxTokens: 900 }],
    [
      { maxBytes: 8_000, maxTokens: 900 },
      { maxBytes: 7_000, maxTokens: 1_000 },
    ],
  ])("W2 W20: of an edited call are the smaller ones, in each unit: %j and %j", async (Glob, Other) => {
    const toolOutput = { ...inTokens, perTool: { Glob, Other } };
    const other = toolOf("Other", () => ({ summary: "2000 paths", content: PATHS }));
    const edit = {
      preToolCall: () => ({ type: "edit", call: { toolCallId: "", toolName: "Other", input: {} } }) as const,
    };
    const counter = { count: countUtf8Bytes };
    const options = { tools: [glob, other], toolOutput, counter, interceptors: [edit] };
    const [result] = await executeTools(calls, options);
    expect(result?.truncation?.tokens?.maxTokens).toBe(900);
    expect(countUtf8Bytes(result?.content ?? "")).toBeLessThanOrEqual(900);
  });

  it("W10 W20: the event of a cut has the sizes in tokens too", async () => {
    const events: WorkerEvent[] = [];
    const onEvent = (event: WorkerEvent) => void events.push(event);
    const [result] = await executeTools(calls, { tools: [glob], toolOutput: inTokens, onEvent });
    const { tokens, maxBytes } = result?.truncation ?? {};
    expect(eventsOfType(events, "tool-output-truncated")).toMatchObject([{ toolName: "Glob", maxBytes, tokens }]);
  });
});

describe("a session that is resumed", () => {
  // Mutant seen to fail: the log's results counted again.
  it("W9 W20: has its results as they were, though the counter of the new process counts higher", () => {
    const log = memoryLog();
    const light = { count: (value: string) => countUtf8Bytes(value) / 4 };
    const heavy = { count: countUtf8Bytes };
    // Let through whole: what was cut has a record, which says that it was counted.
    const read = toolOf("Read", () => ({ summary: "prose", content: "x".repeat(6_000) }));
    const options = { tools: [glob, read], toolOutput: inTokens, log };
    const first = [answer(toolUse("Glob", {}), toolUse("Read", {})), answer(text("Done."))];
    return withWorker({ ...options, script: first, counter: light }, async ({ worker }) => {
      await worker.run("Go");
      expect(resultsIn(worker.history).map(({ truncation }) => truncation !== undefined)).toEqual([true, false]);
      await withWorker({ ...options, script: [answer(text("Still here."))], counter: heavy }, async (later) => {
        await later.worker.run("Go on");
        expect(resultsIn(later.worker.history)).toEqual(resultsIn(worker.history));
      });
    });
  });
});

function never(): never {
  throw new Error("No request is sent here.");
}
