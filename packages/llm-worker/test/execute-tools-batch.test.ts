import { executeTools, type ToolCall, type ToolOutput, type ToolResult } from "@pod/llm-worker";
import { createBarrier, createDeferred, within } from "@pod/test-harness";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BatchOptions, type SeenBatch, ways } from "./support/through-both.js";
import { toolOf } from "./support/tool-of.js";
import { eventsOfType } from "./support/with-worker.js";

/** One of each kind, with what must come of it. The figures are those of DESIGN.md, section 4, or counted by hand. */
const kinds: readonly (readonly [toolName: string, outcome: ToolOutput | Error, result: Partial<ToolResult>])[] = [
  ["Below", { summary: "below", content: "a".repeat(16_383) }, { content: "a".repeat(16_383), isError: false }],
  ["Exact", { summary: "exact", content: "a".repeat(16_384) }, { content: "a".repeat(16_384), isError: false }],
  [
    "Over",
    { summary: "over", content: "a".repeat(125_000) },
    {
      content: `${"a".repeat(16_330)}\n\n[truncated: 108670 bytes dropped, refine your query]`,
      truncation: { maxBytes: 16_384, originalBytes: 125_000, keptBytes: 16_330, droppedBytes: 108_670 },
      isError: false,
    },
  ],
  [
    "Wide",
    { summary: "wide", content: "語".repeat(1_000) },
    {
      content: `${"語".repeat(316)}\n\n[truncated: 2052 bytes dropped, refine your query]`,
      truncation: { maxBytes: 1_000, originalBytes: 3_000, keptBytes: 948, droppedBytes: 2_052 },
      isError: false,
    },
  ],
  ["Throwing", new RangeError("out of range"), { summary: "RangeError: out of range", isError: true }],
];
const calls: readonly ToolCall[] = kinds.map(([toolName]) => ({
  toolCallId: `call-${toolName}`,
  toolName,
  input: {},
}));
const toolOutput = { defaultMaxBytes: 16_384, perTool: { Wide: 1_000 } };

describe.each(ways)("five calls at once, through %s", (_way, runBatch) => {
  it.each([
    ["in call order", [0, 1, 2, 3, 4]],
    ["backwards", [4, 3, 2, 1, 0]],
    ["the thrower first", [4, 2, 0, 3, 1]],
    ["the large ones last", [0, 4, 1, 3, 2]],
  ])("W2 W3 W10: finish %s, and the results are in call order with exact counts", async (_what, order) => {
    const { options, finishInOrder } = arrange(order);
    const [seen] = await Promise.all([runBatch(calls, options), finishInOrder()]);
    expectFive(seen);
    const told = eventsOfType(seen.events, "tool-output-truncated");
    expect(told).toEqual([
      { type: "tool-output-truncated", toolCallId: "call-Over", toolName: "Over", ...kinds[2]?.[2].truncation },
      { type: "tool-output-truncated", toolCallId: "call-Wide", toolName: "Wide", ...kinds[3]?.[2].truncation },
    ]);
    expect(JSON.stringify(told)).not.toMatch(/aaa|語/);
    expect(seen.received).toEqual(
      seen.results.map(({ toolCallId, summary, content, isError }) => ({
        toolCallId,
        text: content === undefined ? summary : `${summary}\n${content}`,
        isError,
      })),
    );
    expect(eventsOfType(seen.events, "tool-result").map(({ result }) => result)).toEqual(seen.results);
  });
});

describe("executeTools", () => {
  // Mutant seen to fail: results in the order in which the calls finish.
  it("W2 W3: gives the same results for any order of finishing", async () => {
    const anyOrder = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });
    await fc.assert(
      fc.asyncProperty(anyOrder, async (order) => {
        const { options, finishInOrder } = arrange(order);
        const [results] = await Promise.all([executeTools(calls, options), finishInOrder()]);
        expectFive({ results });
      }),
      { numRuns: 120 },
    );
  });

  it("W3: resolves to no result for no call", async () => {
    expect(await executeTools([], { tools: [] })).toEqual([]);
  });

  it("W3: makes a missing or repeated call id unique before execution", async () => {
    const ids = ["a", "a", "", "a-2", "a", ""];
    const executed: string[] = [];
    const read = toolOf("Read", (_input, { toolCallId }) => {
      executed.push(toolCallId);
      return "done";
    });
    const asked = ids.map((toolCallId) => ({ toolCallId, toolName: "Read", input: {} }));
    const results = await executeTools(asked, { tools: [read] });
    const given = results.map(({ toolCallId }) => toolCallId);
    expect(new Set(given).size).toBe(ids.length);
    expect(given).not.toContain("");
    expect(given[0]).toBe("a");
    expect(executed).toEqual(given);
  });

  it("W9: freezes the results, and a tool's input is a copy of its own", async () => {
    const input = { path: "a", nested: { list: [1] } };
    const given: unknown[] = [];
    const results = await executeTools([{ toolCallId: "call-1", toolName: "Over", input }], {
      tools: [
        toolOf("Over", (received) => {
          given.push(received);
          Object.assign(Object(received), { path: "changed" });
          return { summary: "over", content: "a".repeat(20_000) };
        }),
      ],
    });
    expect(given).toEqual([{ path: "changed", nested: { list: [1] } }]);
    expect(input).toEqual({ path: "a", nested: { list: [1] } });
    expect([results, results[0], results[0]?.truncation].every(Object.isFrozen)).toBe(true);
  });
});

/** Five tools that all run before the first may finish, and then finish one after the other. */
function arrange(order: readonly number[]) {
  const allRun = createBarrier(kinds.length);
  const gates = kinds.map(() => createDeferred());
  const finished = kinds.map(() => createDeferred());
  const tools = kinds.map(([name, outcome], index) =>
    toolOf(name, async () => {
      await Promise.all([allRun.arrive(), gates[index]?.promise]);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    }),
  );
  const options: BatchOptions = {
    tools,
    toolOutput,
    interceptors: [{ postToolCall: (_draft, { toolName }) => finished[indexOf(toolName)]?.resolve() }],
  };
  const finishInOrder = async () => {
    for (const index of order) {
      gates[index]?.resolve();
      await within(finished[index]?.promise ?? Promise.reject(index), `call ${index} to finish`);
    }
  };
  return { options, finishInOrder };
}

function indexOf(toolName: string): number {
  return kinds.findIndex(([name]) => name === toolName);
}

function expectFive({ results }: Pick<SeenBatch, "results">): void {
  expect(results).toEqual(
    kinds.map(([toolName, outcome, result]) => ({
      toolCallId: `call-${toolName}`,
      toolName,
      ...(!(outcome instanceof Error) && { summary: outcome.summary }),
      ...result,
    })),
  );
}
