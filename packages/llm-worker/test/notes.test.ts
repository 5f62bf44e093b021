import { capNaively, countUtf8Bytes, nastyText } from "@pod/test-harness/laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capHistory, executeTools, type Interceptor, renderToolResult, type ToolResult } from "../src/index.js";
import { isFromChokepoint, makeToolResult } from "../src/tool-result.js";
import { expectLaw } from "./support/expect-law.js";
import { toolOf } from "./support/tool-of.js";

const CONTENT = "c".repeat(5_000);

describe("a note", () => {
  it.each([
    ["after summary and content", { summary: "found", content: "a\nb" }, "found\na\nb\nmind the gap"],
    ["after content alone", CONTENT.slice(0, 300), `${CONTENT.slice(0, 300)}\nmind the gap`],
    ["after a summary alone", "found", "found\nmind the gap"],
    ["after nothing", "", "(no output)\nmind the gap"],
  ])("W18 W5: is received %s", async (_name, output, received) => {
    const result = await noted(output, "mind the gap", 10_000);
    expect(result.note).toBe("mind the gap");
    expect(renderToolResult(result)).toBe(received);
    expect(result).not.toHaveProperty("noteTruncation");
  });

  // Mutants seen to fail: the content's limit is the whole; a third of the limit; the newline is not counted.
  it.each([
    [10_000, 1_024],
    [4_096, 1_024],
    [4_095, 1_023],
    [1_000, 250],
    [64, 16],
    [4, 1],
  ])("W18: within a limit of %i bytes has at most %i, and the content what it leaves", async (maxBytes, noteBytes) => {
    const result = await noted({ summary: "found", content: CONTENT }, "n".repeat(2_000), maxBytes);
    const note = capNaively("n".repeat(2_000), noteBytes);
    expect(result.note).toBe(note.text);
    expect(result.noteTruncation).toEqual(note.truncation);
    expect(result.content).toBe(capNaively(CONTENT, maxBytes - noteBytes - 1).text);
  });

  it.each([1, 2, 3])("W18: within a limit of %i bytes is left out, and its record says so", async (maxBytes) => {
    const result = await noted({ summary: "found", content: CONTENT }, "note", maxBytes);
    expect(result).not.toHaveProperty("note");
    expect(result.noteTruncation).toMatchObject({ keptBytes: 0, droppedBytes: 4 });
    expect(result.content).toBe(CONTENT.slice(0, maxBytes));
  });

  it("W18: is shown to later interceptors, which may change it or take it away", async () => {
    const seen: unknown[] = [];
    const watch: Interceptor = { postToolCall: ({ note }) => void seen.push(note) };
    const edit = (note: string): Interceptor => ({ postToolCall: () => ({ type: "edit", note }) });
    const results = await execute("found", [watch, edit("one"), watch, edit("two"), watch, edit("")]);
    expect(seen).toEqual([undefined, "one", "two"]);
    expect(results[0]).not.toHaveProperty("note");
  });

  it("W18 W4: leaves summary and content as they are, derived ones too", async () => {
    const long = "x".repeat(300);
    const [result] = await execute(long, [{ postToolCall: () => ({ type: "edit", note: "n" }) }]);
    expect(result).toMatchObject({ summary: "1 lines, 300 bytes", summaryIsDerived: true, content: long, note: "n" });
  });

  it("W18 W2: of an interceptor goes with what a later one withholds", async () => {
    const fail = () => {
      throw new Error("no");
    };
    const [result] = await execute("found", [
      { postToolCall: () => ({ type: "edit", note: "n" }) },
      { postToolCall: fail },
    ]);
    expect(result).toMatchObject({ summary: "interceptor 2 failed", isError: true });
    expect(result).not.toHaveProperty("note");
  });

  it.each([1, null, {}, ["n"]])("W18 W2: that is no text (%j) fails closed", async (note) => {
    const [result] = await execute("found", [{ postToolCall: () => ({ type: "edit", note }) as never }]);
    expect(result).toMatchObject({ summary: "interceptor 1 failed", isError: true });
  });
});

describe("any content with any note", () => {
  const texts = fc.record({
    content: nastyText(),
    note: nastyText(),
    maxBytes: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 9_000 })),
  });
  const draft = { toolCallId: "a", toolName: "Read", summary: "found", isError: false };

  it("W18: is within the limit together, the note within its own", () => {
    expectLaw(texts, ({ content, note, maxBytes }) => {
      const result = makeToolResult({ ...draft, content, note }, { maxBytes });
      const noteBytes = countUtf8Bytes(result.note ?? "");
      expect(noteBytes).toBeLessThanOrEqual(Math.min(1_024, Math.floor(maxBytes / 4)));
      const bytes = countUtf8Bytes(result.content ?? "") + (noteBytes > 0 ? noteBytes + 1 : 0);
      expect(bytes).toBeLessThanOrEqual(maxBytes);
    });
  });

  // Mutants seen to fail: the note's record is dropped; a note is cut as fresh text; a cut note takes what it has.
  it("W18: capped again at a lower limit is what the lower limit alone gives", () => {
    const two = fc.record({
      content: nastyText(),
      note: nastyText(),
      limits: fc.tuple(fc.integer({ min: 512, max: 9_000 }), fc.integer({ min: 512, max: 9_000 })),
    });
    expectLaw(two, ({ content, note, limits }) => {
      const [lower, higher] = [Math.min(...limits), Math.max(...limits)];
      const once = makeToolResult({ ...draft, content, note }, { maxBytes: lower });
      const whole = makeToolResult({ ...draft, content, note }, { maxBytes: higher });
      const [message] = capHistory([{ role: "tool", results: [whole] }], { defaultMaxBytes: lower, perTool: {} });
      const again = message?.role === "tool" ? message.results[0] : undefined;
      expect(again && isFromChokepoint(again)).toBe(true);
      expect(again?.note).toBe(once.note);
      expect(again?.noteTruncation?.droppedBytes).toBe(once.noteTruncation?.droppedBytes);
      expect(again?.content).toBe(once.content);
      expect(again?.truncation?.droppedBytes).toBe(once.truncation?.droppedBytes);
    });
  });
});

async function noted(output: unknown, note: string, maxBytes: number): Promise<ToolResult> {
  const [result] = await execute(output, [{ postToolCall: () => ({ type: "edit", note }) }], maxBytes);
  if (result === undefined) throw new Error("no result");
  return result;
}

function execute(
  output: unknown,
  interceptors: readonly Interceptor[],
  defaultMaxBytes = 16_384,
): Promise<readonly ToolResult[]> {
  const tool = toolOf("Read", () => output as string);
  const calls = [{ toolCallId: "a", toolName: "Read", input: {} }];
  return executeTools(calls, { tools: [tool], interceptors, toolOutput: { defaultMaxBytes, perTool: {} } });
}
