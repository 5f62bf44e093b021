import type { ToolCall } from "@pod/llm-worker";
import { capNaively } from "@pod/test-harness/laws";
import { describe, expect, it } from "vitest";
import { ways } from "./support/through-both.js";
import { toolOf } from "./support/tool-of.js";

const calls: readonly ToolCall[] = ["call-1", "call-2", "call-3"].map((toolCallId) => ({
  toolCallId,
  toolName: "Read",
  input: { path: "a" },
}));
const [call] = calls as [ToolCall];
const long = "0123456789".repeat(100);

describe.each(ways)("through %s", (_way, runBatch) => {
  it("W2: an edit chooses the tool and its input, and changes neither the id nor the name that the model used", async () => {
    const executed: unknown[] = [];
    const shown: unknown[] = [];
    const seen = await runBatch([call], {
      tools: [
        toolOf("Read", mustNotRun),
        toolOf("Other", (input, { toolCallId }) => {
          executed.push({ input, toolCallId });
          return "done";
        }),
      ],
      interceptors: [
        {
          preToolCall: () => ({
            type: "edit",
            call: { toolCallId: "forged", toolName: "Other", input: { path: "b" } },
          }),
        },
        {
          preToolCall: (edited) => void shown.push(edited),
          postToolCall: (draft, edited) => void shown.push(draft, edited),
        },
      ],
    });
    const edited = { toolCallId: "call-1", toolName: "Other", input: { path: "b" } };
    const result = { toolCallId: "call-1", toolName: "Read", summary: "done", isError: false };
    expect(executed).toEqual([{ toolCallId: "call-1", input: { path: "b" } }]);
    expect(shown).toEqual([edited, result, edited]);
    expect(seen.results).toEqual([result]);
    expect(seen.received).toEqual([{ toolCallId: "call-1", text: "done", isError: false }]);
  });

  // Mutant seen to fail: the limit of one name alone.
  it.each([
    { Read: 100, Other: 300, expected: 100 },
    { Read: 300, Other: 100, expected: 100 },
    { Read: 200, Other: 200, expected: 200 },
    { Read: 400, expected: 400 },
    { Other: 400, expected: 400 },
    { expected: 500 },
  ])(
    "W2 W6: the limit of an edited name is the smaller of both: $Read, $Other, default 500",
    async ({ expected, ...perTool }) => {
      const seen = await runBatch([call], {
        tools: [toolOf("Read", mustNotRun), toolOf("Other", () => ({ summary: "read", content: long }))],
        interceptors: [{ preToolCall: () => ({ type: "edit", call: { ...call, toolName: "Other" } }) }],
        toolOutput: { defaultMaxBytes: 500, perTool },
      });
      expect(seen.results[0]?.content).toBe(capNaively(long, expected).text);
      expect(seen.results[0]?.truncation?.maxBytes).toBe(expected);
    },
  );

  it("W2 W6: the smaller limit counts also where an edited call is then answered or skipped", async () => {
    const shown: string[] = [];
    const seen = await runBatch(calls.slice(0, 2), {
      tools: [toolOf("Read", mustNotRun)],
      interceptors: [
        { preToolCall: (asked) => ({ type: "edit", call: { ...asked, toolName: "Other" } }) },
        {
          preToolCall: ({ toolCallId }) =>
            toolCallId === "call-1" ? { type: "answer", output: long } : { type: "skip", reason: long },
          postToolCall: (_draft, { toolName }) => void shown.push(toolName),
        },
      ],
      toolOutput: { defaultMaxBytes: 500, perTool: { Other: 100 } },
    });
    const expected = capNaively(long, 100);
    expect(seen.results.map(({ content }) => content)).toEqual([expected.text, expected.text]);
    expect(seen.results.map(({ toolName }) => toolName)).toEqual(["Read", "Read"]);
    expect(shown).toEqual(["Other", "Other"]);
  });

  it("W2: an edited name that no tool has is an unknown tool, and an edited input is checked", async () => {
    const edits: Record<string, ToolCall> = {
      "call-1": { ...call, toolName: "None" },
      "call-2": { ...call, toolName: "Strict", input: {} },
    };
    const strict = { type: "object", required: ["path"] };
    const seen = await runBatch(calls, {
      tools: [toolOf("Read", () => "done"), toolOf("Strict", mustNotRun, { inputSchema: strict })],
      interceptors: [
        {
          preToolCall: ({ toolCallId }) => {
            const edited = edits[toolCallId];
            return edited && { type: "edit", call: edited };
          },
        },
      ],
    });
    expect(seen.results.map(({ isError }) => isError)).toEqual([true, true, false]);
    expect(seen.received[0]?.text).toMatch(/unknown tool "None"/);
    expect(seen.received[1]?.text).toMatch(/rejected.*\n.*path/);
  });

  it("W2: a skip is an error with the reason as its text, an answer is not, and nobody else is asked", async () => {
    const asked: string[] = [];
    const seen = await runBatch(calls, {
      tools: [toolOf("Read", () => "done")],
      interceptors: [
        {
          preToolCall({ toolCallId }) {
            if (toolCallId === "call-1") return { type: "skip", reason: "not allowed" };
            if (toolCallId === "call-2") return { type: "answer", output: { summary: "known", content: { a: 1 } } };
            return undefined;
          },
        },
        { preToolCall: ({ toolCallId }) => void asked.push(toolCallId) },
      ],
    });
    expect(seen.results).toEqual([
      { toolCallId: "call-1", toolName: "Read", summary: "not allowed", isError: true },
      { toolCallId: "call-2", toolName: "Read", summary: "known", content: '{"a":1}', isError: false },
      { toolCallId: "call-3", toolName: "Read", summary: "done", isError: false },
    ]);
    expect(asked).toEqual(["call-3"]);
  });
});

function mustNotRun(): never {
  throw new Error("this call was not to be executed");
}
