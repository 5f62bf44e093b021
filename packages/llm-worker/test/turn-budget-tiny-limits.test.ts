import { executeTools, renderToolResult, type ToolResult } from "@pod/llm-worker";
import { describe, expect, it } from "vitest";
import { toolOf } from "./support/tool-of.js";

/** Each is as much as the model receives of it where nothing of the content is left: `1 lines, 400 bytes`. */
const SUMMARY_BYTES = 18;
const TURN_BYTES = 1_024;
const OWN_SUMMARY = "twenty bytes of text";

describe("results of which a limit left no character", () => {
  // Mutants seen to fail: their contents, which are empty, count as standing alone; with a note, too.
  it.each([
    ["without notes", undefined],
    ["with notes", "n"],
  ])("W14: %s, leave the others what the budget has beside their summaries", async (_what, note) => {
    const eachBytes = SUMMARY_BYTES + (note === undefined ? 0 : 2);
    const most = Math.floor((TURN_BYTES - OWN_SUMMARY.length) / eachBytes);
    for (let count = most - 3; count <= most; count++) {
      const results = await execute(count, note);
      const received = sum(results.map((result) => Buffer.byteLength(renderToolResult(result))));
      expect(received).toBeLessThanOrEqual(TURN_BYTES);
    }
  });
});

/** So many results that have nothing but their summaries, and after them one that has everything. */
function execute(count: number, note: string | undefined): Promise<readonly ToolResult[]> {
  const whole = { summary: OWN_SUMMARY, content: "x".repeat(9_000) };
  const emptied = Array.from({ length: count }, (_, index) => `emptied-${index}`);
  const tools = [...emptied.map((name) => toolOf(name, () => "😀".repeat(100))), toolOf("whole", () => whole)];
  const perTool = Object.fromEntries(emptied.map((name) => [name, note === undefined ? 3 : 5]));
  return executeTools(
    tools.map(({ name }) => ({ toolCallId: name, toolName: name, input: {} })),
    {
      tools,
      toolOutput: { defaultMaxBytes: 16_384, perTool, turnMaxBytes: TURN_BYTES },
      ...(note !== undefined && { interceptors: [{ postToolCall: () => ({ type: "edit", note }) }] }),
    },
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
