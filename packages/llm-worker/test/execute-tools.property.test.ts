import {
  BatchAbortedError,
  executeTools,
  type Interceptor,
  type Tool,
  type ToolCall,
  type WorkerEvent,
} from "@pod/llm-worker";
import { countUtf8Bytes, nastyText } from "@pod/test-harness/laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileValues } from "./support/hostile-values.js";
import { toolOf } from "./support/tool-of.js";

/** What each tool does; `Unknown` is none. */
type Deed = (text: string, signal: AbortSignal) => unknown;
const deeds: Readonly<Record<string, Deed>> = {
  Text: (text) => text,
  Output: (text) => ({ summary: text.slice(0, 50), content: text }),
  Summary: (summary) => ({ summary }),
  Value: (text) => ({ summary: "value", content: [text] }),
  Throwing: (text) => Promise.reject(new Error(text)),
  Hanging: () => new Promise(() => {}),
};
const toolNames = [...Object.keys(deeds), "Unknown", "__proto__", "constructor"];

/** Makers of what an interceptor may return for one call, and of what it may not: fast-check looks into values. */
const decision: fc.Arbitrary<() => unknown> = fc.oneof(
  { weight: 30, arbitrary: fc.constant(() => undefined) },
  {
    weight: 15,
    arbitrary: fc
      .oneof(
        fc.record({ type: fc.constant("skip"), reason: nastyText() }),
        fc.record({ type: fc.constant("answer"), output: nastyText() }),
        fc.record({
          type: fc.constant("edit"),
          call: fc.record({ toolName: fc.constantFrom(...toolNames), input: fc.object() }),
          summary: nastyText(),
          content: nastyText(),
        }),
      )
      .map((made) => () => made),
  },
  { weight: 1, arbitrary: nastyText().map((reason) => () => ({ type: "abort", reason })) },
  { weight: 5, arbitrary: fc.constantFrom(...Object.values(hostileValues)) },
);

const batch = fc.record({
  calls: fc.array(
    fc.record({
      toolCallId: fc.constantFrom("", "a", "b", "call"),
      toolName: fc.constantFrom(...toolNames),
      input: fc.record({
        text: fc.oneof(
          nastyText(),
          nastyText().map((text) => text.repeat(50)),
        ),
      }),
    }),
    { maxLength: 6 },
  ),
  decisions: fc.array(fc.array(fc.record({ before: decision, after: decision }), { minLength: 6, maxLength: 6 }), {
    maxLength: 3,
  }),
  maxBytes: fc.integer({ min: 1, max: 500 }),
  maxConcurrency: fc.integer({ min: 1, max: 4 }),
});

describe("any batch, with any interceptors", () => {
  // Mutants seen to fail: a result that goes around the chokepoint; results in the order of finishing.
  it("W1 W2 W3 W6 W9 W13: has exactly one capped, frozen, well-formed result per call, in call order", async () => {
    await fc.assert(
      fc.asyncProperty(batch, async ({ calls, decisions, maxBytes, maxConcurrency }) => {
        const events: WorkerEvent[] = [];
        const results = await executeOrAbort(calls, {
          tools: Object.entries(deeds).map(([name, deed]) => toolOf(name, carryOut(deed), { timeoutMs: 1 })),
          interceptors: decisions.map(interceptorOf),
          toolOutput: { defaultMaxBytes: maxBytes, perTool: {} },
          maxConcurrency,
          interceptorTimeoutMs: 1,
          onEvent: (event) => void events.push(event),
        });
        expect(results.map(({ toolName }) => toolName)).toEqual(calls.map(({ toolName }) => toolName));
        expect(new Set(results.map(({ toolCallId }) => toolCallId)).size).toBe(calls.length);
        expect(events.flatMap((event) => (event.type === "tool-result" ? [event.result] : []))).toEqual(results);
        for (const { toolCallId, summary, content = "", truncation, ...rest } of results) {
          expect(toolCallId).not.toBe("");
          expect(countUtf8Bytes(content)).toBeLessThanOrEqual(maxBytes);
          expect(countUtf8Bytes(summary)).toBeLessThanOrEqual(2_048);
          expect([summary, content].every((text) => text.isWellFormed())).toBe(true);
          expect(typeof rest.isError).toBe("boolean");
          if (truncation) expect(truncation.originalBytes).toBe(truncation.keptBytes + truncation.droppedBytes);
        }
        expect([results, ...results].every(Object.isFrozen)).toBe(true);
        expect(JSON.parse(JSON.stringify(results))).toEqual(results);
      }),
      { numRuns: process.env.CI ? 1_000 : 100 },
    );
  });
});

function carryOut(deed: Deed): Tool["execute"] {
  return (input, { signal }) => deed(String(Object(input).text), signal) as string;
}

function interceptorOf(
  decisions: readonly { readonly before: () => unknown; readonly after: () => unknown }[],
): Interceptor {
  let asked = 0;
  let shown = 0;
  return {
    preToolCall: () => decisions[asked++]?.before() as undefined,
    postToolCall: () => decisions[shown++]?.after() as undefined,
  };
}

async function executeOrAbort(calls: readonly ToolCall[], options: Parameters<typeof executeTools>[1]) {
  try {
    return await executeTools(calls, options);
  } catch (error) {
    if (error instanceof BatchAbortedError) return error.results;
    throw error;
  }
}
