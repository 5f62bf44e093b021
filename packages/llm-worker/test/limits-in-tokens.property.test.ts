import { countUtf8Bytes, nastyText } from "@pod/test-harness/laws";
import { createBpeCounter } from "@pod/token-counter/bpe";
import type { TokenCounter } from "@pod/tool-output-cap";
import { countTokens } from "@pod/tool-output-cap/chokepoint";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capHistory, executeTools, type Interceptor, type Message, type ToolResult } from "../src/index.js";
import { receivedTexts } from "../src/messages.js";
import { arbitraryBatch, type NaiveCall } from "./support/naive-batch.js";
import { toolOf } from "./support/tool-of.js";

const parameters = { numRuns: process.env.CI ? 1_000 : 100 };

const COUNTERS: readonly (readonly [string, TokenCounter])[] = [
  ["o200k", createBpeCounter("o200k_base")],
  ["1.8 bytes a token", { count: (text) => countUtf8Bytes(text) / 1.8 }],
  ["less for longer texts", { count: (text) => 400 - (countUtf8Bytes(text) % 401) }],
  ["0", { count: () => 0 }],
  ["1e9", { count: () => 1e9 }],
  [
    "nothing, but throws",
    {
      count: () => {
        throw new Error("no table");
      },
    },
  ],
];

describe.each(COUNTERS)("a counter that says %s", (_, counter) => {
  const count = (text: string) => countTokens(counter, text, countUtf8Bytes(text));
  const ceilingOf = (maxTokens: number) => 4 * maxTokens;

  // Mutants seen to fail: the note not counted; the limit of an unknown tool in bytes alone; a ceiling for each of the two.
  it("W20 W18: content and note of every result are together within the limit, as counted and in bytes", async () => {
    await check(batchAndTokens(), nastyText(), async ([batch, maxTokens], note) => {
      const results = await execute(batch, { maxTokens, counter, note });
      for (const { content = "", note: kept } of results) {
        const noteTokens = kept === undefined ? 0 : count(kept) + 1;
        expect(count(content) + noteTokens).toBeLessThanOrEqual(maxTokens);
        const noteBytes = kept === undefined ? 0 : countUtf8Bytes(kept) + 1;
        expect(countUtf8Bytes(content) + noteBytes).toBeLessThanOrEqual(ceilingOf(maxTokens));
      }
    });
  });

  // Mutants seen to fail: the budget in tokens left out; summaries not counted; the share taken for bytes.
  it("W20 W14: the texts of a batch are within its budget, wherever the summaries are", async () => {
    await check(batchAndTokens(), fc.integer({ min: 256, max: 3_000 }), async ([batch, maxTokens], turnMaxTokens) => {
      const results = await execute(batch, { maxTokens, counter, turnMaxTokens });
      const summaries = sum(results.map(({ summary }) => count(summary)));
      const received = sum(
        results.map((result) => sum(receivedTexts(result).map(count)) + receivedTexts(result).length - 1),
      );
      if (summaries + 2 * results.length <= turnMaxTokens) expect(received).toBeLessThanOrEqual(turnMaxTokens);
    });
  });

  it("W20: a history that was capped is the very same under the same limits, whatever the counter says now", async () => {
    await check(batchAndTokens(), fc.constant(""), async ([batch, maxTokens]) => {
      const results = await execute(batch, { maxTokens, counter });
      const limits = { defaultMaxBytes: 5 * maxTokens, defaultMaxTokens: maxTokens, perTool: {} };
      const capped = capHistory([...historyOf(results)], limits, { counter });
      expect(capped[2]).toEqual({ role: "tool", results });
      expect(capHistory(capped, limits, { counter: { count: countUtf8Bytes } })).toBe(capped);
    });
  });
});

function batchAndTokens(): fc.Arbitrary<readonly [readonly NaiveCall[], number]> {
  return fc.tuple(arbitraryBatch(12), fc.integer({ min: 1, max: 900 }));
}

interface Setting {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
  readonly turnMaxTokens?: number;
  readonly note?: string;
}

/** The second half of the tools has the default. */
function execute(
  batch: readonly NaiveCall[],
  { maxTokens, counter, turnMaxTokens, note }: Setting,
): Promise<readonly ToolResult[]> {
  const tools = batch.map(({ summary, content }, index) =>
    toolOf(`tool-${index}`, () => (summary === undefined ? content : { summary, content })),
  );
  const calls = batch.map((_call, index) => ({ toolCallId: `call-${index}`, toolName: `tool-${index}`, input: {} }));
  const named = calls.slice(0, calls.length / 2).map(({ toolName }) => toolName);
  // The ceiling is lower.
  const limit = { maxBytes: 5 * maxTokens, maxTokens };
  const toolOutput = {
    defaultMaxBytes: limit.maxBytes,
    defaultMaxTokens: maxTokens,
    perTool: Object.fromEntries(named.map((toolName) => [toolName, limit])),
    ...(turnMaxTokens !== undefined && { turnMaxTokens }),
  };
  const noting: Interceptor = { postToolCall: () => ({ type: "edit", note: note ?? "" }) };
  const interceptors = note === undefined ? [] : [noting];
  return executeTools(calls, { tools, toolOutput, counter, interceptors, maxConcurrency: 64 });
}

function historyOf(results: readonly ToolResult[]): readonly Message[] {
  const calls = results.map(
    ({ toolCallId, toolName }) => ({ type: "tool-call", toolCallId, toolName, input: {} }) as const,
  );
  return [
    { role: "user", text: "Go" },
    { role: "assistant", parts: calls },
    { role: "tool", results },
  ];
}

function check<A, B>(
  first: fc.Arbitrary<A>,
  second: fc.Arbitrary<B>,
  holds: (first: A, second: B) => Promise<void>,
): Promise<void> {
  return fc.assert(fc.asyncProperty(first, second, holds), parameters);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
