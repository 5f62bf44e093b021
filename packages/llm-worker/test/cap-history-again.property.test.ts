import { nastyText } from "@pod/test-harness/laws";
import { resolveLimit, type ToolOutputLimits } from "@pod/tool-output-cap";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capHistory, executeTools, type Message, type ToolResult } from "../src/index.js";
import { renderToolResult } from "../src/messages.js";
import { makeTool, resultsIn } from "./support/with-worker.js";

/** Histories of about ten texts each. */
const runs = { numRuns: process.env.CI ? 800 : 80 };

describe("any foreign history, once it is capped", () => {
  // Mutants seen to fail: lists are copied anew; results are made anew.
  it("W9: comes back as the very same objects under the same limits", () => {
    fc.assert(
      fc.property(foreignHistory(), limits(1), (history, toolOutput) => {
        const capped = capHistory(history, toolOutput);
        expect(capHistory(capped, toolOutput)).toBe(capped);
        // In a list of one's own, too.
        const again = capHistory([...capped], toolOutput);
        for (const [index, message] of capped.entries()) expect(again[index]).toBe(message);
        expect(resultsIn(again).every((result, index) => result === resultsIn(capped)[index])).toBe(true);
      }),
      runs,
    );
  });

  // Mutant seen to fail: an empty content is an absent one, whatever its record says.
  it("W9: comes back equal after JSON", () => {
    fc.assert(
      // A limit below 4 leaves a note 0 bytes, and of a cut to nothing no record is believed.
      fc.property(foreignHistory(), limits(4), (history, toolOutput) => {
        const capped = capHistory(history, toolOutput);
        expect(capHistory(JSON.parse(JSON.stringify(capped)), toolOutput)).toStrictEqual(capped);
      }),
      runs,
    );
  });

  // Mutants seen to fail: the old marker counts as content; a result that was capped once is left as it is.
  it("W1 W9: is lowered to lower limits as if it had never had higher ones, but for the limit of an earlier cut", () => {
    fc.assert(
      fc.property(foreignHistory(), limits(600), limits(600), (history, some, others) => {
        const [high, low] = [combine(some, others, Math.max), combine(some, others, Math.min)];
        const lowered = capHistory(capHistory(history, high), low);
        expect(withoutLimits(lowered)).toStrictEqual(withoutLimits(capHistory(history, low)));
        for (const result of resultsIn(lowered)) {
          const { content = "", note } = result;
          const bytes = Buffer.byteLength(content) + (note === undefined ? 0 : Buffer.byteLength(note) + 1);
          expect(bytes).toBeLessThanOrEqual(resolveLimit(low, result.toolName).maxBytes);
        }
      }),
      runs,
    );
  });

  // Mutant seen to fail: the budget is taken for a limit.
  it("W6: knows no turn budget: what a provider has accepted stays as it is", () => {
    fc.assert(
      fc.property(
        foreignHistory(),
        limits(1),
        fc.integer({ min: 1_024, max: 5_000 }),
        (history, limit, turnMaxBytes) => {
          const capped = capHistory(history, limit);
          expect(capHistory(history, { ...limit, turnMaxBytes })).toStrictEqual(capped);
          expect(capHistory(capped, { ...limit, turnMaxBytes })).toBe(capped);
        },
      ),
      runs,
    );
  });
});

describe("the results of a batch with a budget and notes", () => {
  // Mutant seen to fail: a record without its content is dropped.
  it("W9: come back the same, and after JSON equal, removed contents and notes with their records", async () => {
    await fc.assert(
      fc.asyncProperty(batch(), fc.integer({ min: 1_024, max: 3_000 }), async (outputs, turnMaxBytes) => {
        const toolOutput = { defaultMaxBytes: 2_000, perTool: {}, turnMaxBytes };
        const calls = outputs.map((_, index) => ({ toolCallId: `call-${index}`, toolName: "Glob", input: { index } }));
        const results = await executeTools(calls, {
          tools: [makeTool("Glob", (input) => outputs[indexIn(input)]?.output ?? "")],
          interceptors: [{ postToolCall: (_draft, { input }) => noteOf(outputs[indexIn(input)]?.note) }],
          toolOutput,
        });
        const history: readonly Message[] = [
          { role: "user", text: "Look" },
          { role: "assistant", parts: calls.map((call) => ({ type: "tool-call", ...call })) },
          { role: "tool", results },
        ];
        const capped = capHistory(history, toolOutput);
        expect(resultsIn(capped).every((result, index) => result === results[index])).toBe(true);
        const reloaded = capHistory(JSON.parse(JSON.stringify(history)), toolOutput);
        expect(reloaded).toStrictEqual(capped);
        expect(resultsIn(reloaded).map(renderToolResult)).toEqual(results.map(renderToolResult));
      }),
      { numRuns: process.env.CI ? 400 : 40 },
    );
  });
});

function indexIn(input: unknown): number {
  return typeof input === "object" && input !== null && "index" in input ? Number(input.index) : -1;
}

function noteOf(note: string | undefined) {
  return note === undefined ? undefined : ({ type: "edit", note } as const);
}

function batch() {
  const text = fc
    .tuple(fc.constantFrom("a", "é\n", "語", "😀"), fc.nat(800))
    .map(([unit, times]) => unit.repeat(times));
  const output = fc.oneof(text, fc.record({ summary: text, content: text }), fc.record({ summary: text }));
  return fc.array(fc.record({ output, note: fc.option(text, { nil: undefined }) }), { minLength: 1, maxLength: 12 });
}

/** All but what an earlier cut remembers of its own limit. */
function withoutLimits(history: readonly Message[]): unknown {
  return JSON.parse(JSON.stringify(history), (key, value) => (key === "maxBytes" ? undefined : value));
}

function combine(a: ToolOutputLimits, b: ToolOutputLimits, choose: (x: number, y: number) => number): ToolOutputLimits {
  const names = ["Read", "constructor"];
  return {
    defaultMaxBytes: choose(a.defaultMaxBytes, b.defaultMaxBytes),
    perTool: Object.fromEntries(
      names.map((name) => [name, choose(resolveLimit(a, name).maxBytes, resolveLimit(b, name).maxBytes)]),
    ),
  };
}

function limits(min: number): fc.Arbitrary<ToolOutputLimits> {
  const maxBytes = fc.oneof(fc.integer({ min, max: Math.max(min, 16) }), fc.integer({ min, max: 4_000 }));
  return fc.record({
    defaultMaxBytes: maxBytes,
    perTool: fc.record({ Read: maxBytes, constructor: maxBytes }, { requiredKeys: [] }),
  });
}

/** Turns as others record them, contents and notes of any size, records true to nothing. */
function foreignHistory(): fc.Arbitrary<readonly Message[]> {
  const user = nastyText().map((text): Message[] => [{ role: "user", text }]);
  const turn = fc.array(foreignResult(), { minLength: 1, maxLength: 4 }).map((given): Message[] => {
    const results = given.map((result, index) => ({ ...result, toolCallId: `call-${index}` }));
    const parts = results.map(({ toolCallId, toolName }) => ({
      type: "tool-call" as const,
      toolCallId,
      toolName,
      input: {},
    }));
    return [
      { role: "assistant", parts },
      { role: "tool", results },
    ];
  });
  return fc.array(fc.oneof(user, turn), { maxLength: 4 }).map((turns) => turns.flat());
}

function foreignResult(): fc.Arbitrary<ToolResult> {
  const bytes = fc.oneof(fc.nat(2_000), fc.constantFrom(0, -1, Number.NaN));
  const record = fc.record(
    {
      maxBytes: bytes,
      originalBytes: bytes,
      keptBytes: bytes,
      droppedBytes: bytes,
      reason: fc.constant("turn-budget"),
    },
    { requiredKeys: ["maxBytes", "originalBytes", "keptBytes", "droppedBytes"] },
  );
  const removal = fc
    .integer({ min: 1, max: 2 ** 31 })
    .map((size) => ({ maxBytes: 0, originalBytes: size, keptBytes: 0, droppedBytes: size, reason: "turn-budget" }));
  const large = fc.tuple(fc.constantFrom("a", "é\n", "語", "😀", "\uD800"), fc.nat(3_000));
  const text = fc.oneof(
    nastyText(),
    large.map(([unit, times]) => unit.repeat(times)),
  );
  return fc
    .record(
      {
        toolName: fc.constantFrom("Glob", "Read", "constructor", "__proto__"),
        summary: text,
        isError: fc.boolean(),
        summaryIsDerived: fc.constant(true as const),
        content: text,
        note: text,
        truncation: fc.oneof(record, removal),
        noteTruncation: fc.oneof(record, removal),
      },
      { requiredKeys: ["toolName", "summary", "isError"] },
    )
    .map((fields): ToolResult => JSON.parse(JSON.stringify({ toolCallId: "", ...fields })));
}
