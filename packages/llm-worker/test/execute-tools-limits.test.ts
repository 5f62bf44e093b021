import { createWorker, executeTools, type ToolCall } from "@pod/llm-worker";
import { withProvider } from "@pod/test-harness";
import { capNaively } from "@pod/test-harness/laws";
import { describe, expect, it } from "vitest";
import { askFor, ways } from "./support/through-both.js";
import { toolOf } from "./support/tool-of.js";
import { realClient, resultsIn } from "./support/with-worker.js";

const text = "0123456789".repeat(2_000);
const output = { summary: "read", content: text };

function callOf(toolName: string): ToolCall {
  return { toolCallId: "call-1", toolName, input: {} };
}

describe.each(ways)("through %s", (_way, runBatch) => {
  // Mutants seen to fail: a copy that assigns to `__proto__`; no limits that mean no cap.
  it.each([
    ["no limits", "Read", undefined, 16_384],
    ["the default of the limits", "Read", { defaultMaxBytes: 500, perTool: { read: 1, Reads: 2 } }, 500],
    ["its own limit", "Read", { defaultMaxBytes: 500, perTool: { Read: 900 } }, 900],
    ["its own limit as an object", "Read", { defaultMaxBytes: 500, perTool: { Read: { maxBytes: 900 } } }, 900],
    ["the default for constructor", "constructor", { defaultMaxBytes: 500, perTool: {} }, 500],
    ["the default for toString", "toString", { defaultMaxBytes: 500, perTool: {} }, 500],
    ["the default for __proto__", "__proto__", { defaultMaxBytes: 500, perTool: {} }, 500],
    ["no limits for __proto__", "__proto__", undefined, 16_384],
    ["the limit that names constructor", "constructor", parseLimits(`{ "constructor": 900 }`), 900],
    ["the limit that names __proto__", "__proto__", parseLimits(`{ "__proto__": 900 }`), 900],
    ["the default beside a limit for __proto__", "maxBytes", parseLimits(`{ "__proto__": { "maxBytes": 9 } }`), 500],
  ])("W6: a tool has %s: %s", async (_what, toolName, toolOutput, maxBytes) => {
    const seen = await runBatch([callOf(toolName)], {
      tools: [toolOf(toolName, () => output)],
      ...(toolOutput && { toolOutput }),
    });
    const expected = capNaively(text, maxBytes);
    expect(seen.results).toEqual([
      {
        toolCallId: "call-1",
        toolName,
        summary: "read",
        content: expected.text,
        truncation: expected.truncation,
        isError: false,
      },
    ]);
    expect(seen.received).toEqual([{ toolCallId: "call-1", text: `read\n${expected.text}`, isError: false }]);
  });

  // Mutants seen to fail: the end that all tools keep is not copied; it is copied into the entries as well, over theirs.
  it.each([
    ["of all tools", { defaultMaxBytes: 500, perTool: {}, keep: "tail" }],
    ["of all tools, beside its own size", { defaultMaxBytes: 900, perTool: { Read: 500 }, keep: "tail" }],
    ["of its own", { defaultMaxBytes: 900, perTool: { Read: { maxBytes: 500, keep: "tail" } }, keep: "ends" }],
  ] as const)("W6: a cut keeps the end %s", async (_what, toolOutput) => {
    const seen = await runBatch([callOf("Read")], { tools: [toolOf("Read", () => output)], toolOutput });
    expect(seen.results[0]).toMatchObject({
      content: expect.stringMatching(/^\[truncated: .*0123456789$/s),
      truncation: { maxBytes: 500, keep: "tail" },
    });
  });

  it.each([
    ["an unknown name", "Unknown", { Read: 9_000 }, 500],
    ["an unknown name that the table has", "Unknown", { Unknown: 900 }, 900],
    ["constructor, which no tool has", "constructor", {}, 500],
    ["__proto__, which no tool has", "__proto__", {}, 500],
    ["valueOf, which no tool has", "valueOf", {}, 500],
  ])("W6: %s is an unknown tool within its limit", async (_what, toolName, perTool, maxBytes) => {
    // The list of names makes the text long.
    const tools = Array.from({ length: 60 }, (_, index) => toolOf(`Tool${index}-${"x".repeat(60)}`, () => "done"));
    const seen = await runBatch([callOf(toolName)], { tools, toolOutput: { defaultMaxBytes: 500, perTool } });
    const [result] = seen.results;
    expect(result).toMatchObject({ toolName, isError: true, truncation: { maxBytes } });
    expect(Buffer.byteLength(result?.content ?? "")).toBe(maxBytes);
    expect(result?.content).toMatch(/^unknown tool /);
  });

  it.each([
    ["an output within its limit", 20_000, false],
    ["an output over it", 500, false],
    ["an error within its limit", 20_000, true],
    ["an error over it", 500, true],
  ])("W7: %s stays what it was", async (_what, defaultMaxBytes, isError) => {
    const read = toolOf("Read", () => (isError ? Promise.reject(text) : output));
    const seen = await runBatch([callOf("Read")], { tools: [read], toolOutput: { defaultMaxBytes, perTool: {} } });
    expect(seen.results[0]?.truncation !== undefined).toBe(defaultMaxBytes === 500);
    expect(seen.results[0]?.isError).toBe(isError);
    expect(seen.received[0]?.isError).toBe(isError);
  });

  it("W6: the smallest limit leaves summaries and a byte of content", async () => {
    const seen = await runBatch([callOf("Read")], {
      tools: [toolOf("Read", () => output)],
      toolOutput: { defaultMaxBytes: 1, perTool: {} },
    });
    expect(seen.received[0]?.text).toBe("read\n0");
    expect(seen.results[0]?.truncation).toEqual({
      maxBytes: 1,
      originalBytes: 20_000,
      keptBytes: 1,
      droppedBytes: 19_999,
    });
  });
});

describe("limits that are changed after they were handed over", () => {
  const give = () => ({
    defaultMaxBytes: 500,
    perTool: { Read: { maxBytes: 900 } } as Record<string, { maxBytes: number }>,
  });
  const widen = (limits: ReturnType<typeof give>) => {
    limits.defaultMaxBytes = 2 ** 31 - 1;
    Object.assign(limits.perTool.Read ?? {}, { maxBytes: 2 ** 31 - 1 });
    limits.perTool.Other = { maxBytes: 2 ** 31 - 1 };
  };
  const calls = ["Read", "Other"].map((toolName, index) => ({ ...callOf(toolName), toolCallId: `call-${index}` }));
  const tools = ["Read", "Other"].map((name) => toolOf(name, () => output));
  const expected = [
    { truncation: { maxBytes: 900, originalBytes: 20_000 } },
    { truncation: { maxBytes: 500, originalBytes: 20_000 } },
  ];

  // Mutant seen to fail: limits that are kept as they were handed over.
  it("W6: change nothing for a worker", async () => {
    const limits = give();
    await withProvider({ script: askFor(calls) }, async (provider) => {
      const worker = createWorker({ client: realClient(provider), tools, toolOutput: limits });
      widen(limits);
      await worker.run("go");
      expect(resultsIn(worker.history)).toMatchObject(expected);
    });
  });

  it("W6: change nothing for a batch that runs", async () => {
    const limits = give();
    const results = await executeTools(calls, {
      tools,
      toolOutput: limits,
      interceptors: [{ preToolCall: () => widen(limits) }],
    });
    expect(results).toMatchObject(expected);
  });
});

function parseLimits(perTool: string): { defaultMaxBytes: number; perTool: Record<string, number> } {
  return JSON.parse(`{ "defaultMaxBytes": 500, "perTool": ${perTool} }`);
}
