import { setImmediate } from "node:timers/promises";
import {
  BatchAbortedError,
  capHistory,
  createWorker,
  executeTools,
  type Interceptor,
  InvalidOptionsError,
  type LlmClient,
  type Message,
  type ToolCall,
} from "@pod/llm-worker";
import { countUtf8Bytes } from "@pod/test-harness/laws";
import { describe, expect, it } from "vitest";
import { toolOf } from "./support/tool-of.js";

const call: ToolCall = { toolCallId: "call-1", toolName: "Read", input: {} };
const read = toolOf("Read", () => "read");
/** Made of parts, so that it costs nothing; any text around it is longer than the engine's longest string. */
const longest = "x".repeat(2 ** 29 - 24);

/** A fake model: asks for the call once, then says that it is done. */
function askOnce(): LlmClient {
  return {
    async *stream({ messages }) {
      if (messages.some(({ role }) => role === "tool")) yield { type: "text", text: "done" };
      else yield { type: "tool-call", ...call };
      yield { type: "finish", usage: {} };
    },
  };
}

describe("a reason too long to be told", () => {
  const interceptors: readonly (readonly [string, Interceptor])[] = [
    ["before the call", { preToolCall: () => ({ type: "abort", reason: longest }) }],
    ["after the call", { postToolCall: () => ({ type: "abort", reason: longest }) }],
  ];

  // Mutant seen to fail: the reason is not shortened, and executeCall catches nothing (each guards alone).
  it.each(interceptors)("W3: leaves one result per call in history, %s", async (_when, interceptor) => {
    const worker = createWorker({ client: askOnce(), tools: [read], interceptors: [interceptor] });
    expect(await worker.run("go")).toMatchObject({ type: "aborted" });
    expect(worker.history.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(await worker.run("go on")).toEqual({ type: "finished", text: "done" });
  });

  it.each(interceptors)("W3: comes with the results, %s", async (_when, interceptor) => {
    const aborted = executeTools([call], { tools: [read], interceptors: [interceptor] });
    const error = await aborted.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(BatchAbortedError);
    expect(error).toMatchObject({ results: [{ toolCallId: "call-1", isError: true }] });
  });
});

// Mutant seen to fail: the name is quoted whole.
it("W1: a name too long to be told is an unknown tool", async () => {
  const [result] = await executeTools([{ ...call, toolName: "\u0001".repeat(2 ** 27) }], { tools: [read] });
  expect(result?.isError).toBe(true);
  expect(result?.summary).toMatch(/^unknown tool .+…\. Tools: Read$/);
});

it("W3: ten thousand calls without an id get ten thousand ids", async () => {
  const calls = Array.from({ length: 10_000 }, () => ({ ...call, toolCallId: "" }));
  const results = await executeTools(calls, { tools: [read] });
  expect(new Set(results.map(({ toolCallId }) => toolCallId)).size).toBe(10_000);
});

// Mutants seen to fail: the limit of listeners is left as it is, for the caller's signal or for a tool's own.
it("W10: one signal stops many workers and calls, and Node has nothing to warn of", async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error) => void warnings.push(warning);
  process.on("warning", keep);
  try {
    const [{ signal: stopsRuns }, { signal: stopsBatches }] = [new AbortController(), new AbortController()];
    const listening = toolOf("Read", (_input, context) => {
      for (let count = 0; count < 20; count++) context.signal.addEventListener("abort", () => {});
      return "read";
    });
    const run = () => createWorker({ client: askOnce(), tools: [listening] }).run("go", { signal: stopsRuns });
    const batch = () => executeTools([call], { tools: [listening], signal: stopsBatches });
    await Promise.all(Array.from({ length: 20 }, () => [run(), batch()]).flat());
    // Node tells a warning on the next tick, which is before this.
    await setImmediate();
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", keep);
  }
});

describe("a history that was handed in", () => {
  const history = (toolName: string): readonly Message[] => [
    { role: "user", text: "q" },
    { role: "assistant", parts: [{ type: "tool-call", toolCallId: "a", toolName: "Glob", input: {} }] },
    {
      role: "tool",
      results: [{ toolCallId: "a", toolName, summary: "s", content: "x".repeat(50_000), isError: false }],
    },
  ];

  // Mutant seen to fail: the limit, or the name, of the result.
  it("W6: does not choose its limit by a result's name", () => {
    const toolOutput = { defaultMaxBytes: 1_000, perTool: { Glob: 500, Big: 100_000 } };
    const worker = createWorker({ client: askOnce(), tools: [], toolOutput, history: history("Big") });
    const last = worker.history.at(-1);
    const [result] = last?.role === "tool" ? last.results : [];
    expect(result?.toolName).toBe("Glob");
    expect(countUtf8Bytes(result?.content ?? "")).toBe(500);
    expect(result?.truncation?.originalBytes).toBe(50_000);
  });

  it("W8: that throws a text without end is told in a line", () => {
    const hostile = {
      get role(): "user" {
        throw new Error("SECRET ".repeat(100_000));
      },
      text: "x",
    };
    const cap = () => capHistory([hostile]);
    expect(cap).toThrow(InvalidOptionsError);
    expect(cap).toThrow(/^history\[0\]: .{0,100}$/);
  });
});

it("W6 W13: a limit counts for a name that has to be made well-formed", async () => {
  const tool = toolOf("\ud800T", () => "x".repeat(5_000));
  const [result] = await executeTools([{ ...call, toolName: "\ud800T" }], {
    tools: [tool],
    toolOutput: { defaultMaxBytes: 1_000, perTool: { "\ud800T": 100 } },
  });
  expect(countUtf8Bytes(result?.content ?? "")).toBe(100);
});

// Mutant seen to fail: a carriage return alone counts as the end of the line that was cut.
it("W2 W4: a line cut in front of a carriage return is shown to no redactor", async () => {
  const secret = /BEGIN KEY[\s\S]*?END KEY/g;
  const summary = `${"A".repeat(170)}BEGIN KEY secretpart-abcdefghi\rmore END KEY\n${"x".repeat(3_000)}`;
  const redactor: Interceptor = {
    postToolCall: (draft) => ({
      type: "edit",
      summary: draft.summary.replace(secret, "[R]"),
      content: (draft.content ?? "").replace(secret, "[R]"),
    }),
  };
  const [result] = await executeTools([call], {
    tools: [toolOf("Read", () => ({ summary }))],
    interceptors: [redactor],
  });
  expect(JSON.stringify(result)).toContain("[R]");
  expect(JSON.stringify(result)).not.toContain("secretpart");
});
