import { executeTools, type Interceptor, type Tool, type ToolResult } from "@pod/llm-worker";
import { describe, expect, it } from "vitest";
import { toolOf } from "./support/tool-of.js";

const LIMIT = 300;
const CANARY = "CANARY ".repeat(1_000);

// A second look would see the canary, and whatever was measured at the first would not be what is kept.
// Mutants seen to fail: a look for undefined before the look for the value, in an output, a decision and the limits.
describe("a property that is another at the second look", () => {
  it.each<[string, () => unknown, Partial<ToolResult>]>([
    ["summary", () => ({ ...shift({}, "summary", "first"), content: "c" }), { summary: "first", content: "c" }],
    ["content", () => shift({ summary: "s" }, "content", "first"), { summary: "s", content: "first" }],
    [
      "a member of content",
      () => ({ summary: "s", content: { list: shift([0], 0, "first") } }),
      { summary: "s", content: '{"list":["first"]}' },
    ],
    [
      "toJSON",
      () => ({ summary: "s", content: shift({}, "toJSON", () => "first") }),
      { summary: "s", content: "first" },
    ],
    ["an error's message", () => Promise.reject(shift({}, "message", "first")), { summary: "Error: first" }],
    ["an error's name", () => Promise.reject(shift({ message: "m" }, "name", "First")), { summary: "First: m" }],
    [
      "an error's cause",
      () => Promise.reject(shift({ message: "m" }, "cause", new Error("first"))),
      { summary: "Error: m\ncaused by Error: first" },
    ],
  ])("W8: of a tool's counts as it was at the first: %s", async (_what, act, expected) => {
    const [result] = await run(act, []);
    expect(result).toMatchObject(expected);
    expect(JSON.stringify(result)).not.toContain("CANARY");
  });

  it.each<[string, () => unknown, Partial<ToolResult>]>([
    ["type", () => shift({ reason: "first" }, "type", "skip"), { summary: "first" }],
    ["reason", () => shift({ type: "skip" }, "reason", "first"), { summary: "first" }],
    ["output", () => shift({ type: "answer" }, "output", "first"), { summary: "first" }],
    ["summary of output", () => ({ type: "answer", output: shift({}, "summary", "first") }), { summary: "first" }],
    [
      "content of output",
      () => ({ type: "answer", output: shift({ summary: "s" }, "content", ["first"]) }),
      { content: '["first"]' },
    ],
    [
      "name of an edited call",
      () => ({ type: "edit", call: shift({ input: {} }, "toolName", "Other") }),
      { summary: "the other tool" },
    ],
  ])("W8: of a decision before the call counts as it was at the first: %s", async (_what, act, expected) => {
    const [result] = await run(() => CANARY, [{ preToolCall: () => act() as undefined }]);
    expect(result).toMatchObject(expected);
    expect(JSON.stringify(result)).not.toContain("CANARY");
  });

  it.each<[string, () => unknown, Partial<ToolResult>]>([
    ["summary", () => shift({ type: "edit" }, "summary", "first"), { summary: "first", isError: false }],
    ["content", () => shift({ type: "edit" }, "content", "first"), { content: "first", isError: false }],
    ["isError", () => shift({ type: "edit", content: "c" }, "isError", true), { content: "c", isError: true }],
    ["reason", () => shift({ type: "abort" }, "reason", "first"), { summary: "aborted: first", isError: true }],
  ])("W8: of a decision after the call counts as it was at the first: %s", async (_what, act, expected) => {
    const output = { summary: "read", content: "read" };
    const results = run(() => output, [{ postToolCall: () => act() as undefined }]);
    const [result] = await results.catch((error) => error.results);
    expect(result).toMatchObject(expected);
    expect(JSON.stringify(result)).not.toContain("CANARY");
  });

  it("W6: of the limits counts as it was at the first", async () => {
    const table = shift({}, "Read", shift({}, "maxBytes", LIMIT, 2 ** 31 - 1), 2 ** 31 - 1);
    const toolOutput = shift(shift({}, "perTool", table, {}), "defaultMaxBytes", LIMIT, 2 ** 31 - 1);
    const read = toolOf("Read", () => CANARY);
    const other = toolOf("Other", () => CANARY);
    const calls = ["Read", "Other"].map((toolName) => ({ toolCallId: toolName, toolName, input: {} }));
    const options: object = { tools: [read, other], toolOutput };
    const results = await executeTools(calls, options as Parameters<typeof executeTools>[1]);
    expect(results.map(({ truncation }) => truncation?.maxBytes)).toEqual([LIMIT, LIMIT]);
  });
});

function run(act: () => unknown, interceptors: readonly Interceptor[]): Promise<readonly ToolResult[]> {
  const execute: Tool["execute"] = () => act() as string;
  return executeTools([{ toolCallId: "call-1", toolName: "Read", input: {} }], {
    tools: [toolOf("Read", execute), toolOf("Other", () => "the other tool")],
    interceptors,
    toolOutput: { defaultMaxBytes: LIMIT, perTool: {} },
  });
}

/** The object with a property that is `first` once, and `later` ever after. */
function shift(object: object, key: PropertyKey, first: unknown, later: unknown = CANARY): object {
  let looks = 0;
  const get = () => (looks++ === 0 ? first : later);
  return Object.defineProperty(object, key, { enumerable: true, configurable: true, get });
}
