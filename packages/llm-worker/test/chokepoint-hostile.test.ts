import { executeTools, renderToolResult, type Tool, type ToolResult } from "@pod/llm-worker";
import { describe, expect, it } from "vitest";
import { endlessValues, hostileValues } from "./support/hostile-values.js";
import { ways } from "./support/through-both.js";
import { toolOf } from "./support/tool-of.js";

const LIMIT = 1_000;
const toolOutput = { defaultMaxBytes: LIMIT, perTool: {} };

/** Every way in which a tool can hand over a value that is none of what it may. */
const deliveries: readonly (readonly [how: string, deliver: (value: unknown) => unknown])[] = [
  ["returns", (value) => value],
  ["resolves to", async (value) => value],
  ["returns as content", (content) => ({ summary: "has content", content })],
  ["returns inside content", (inner) => ({ summary: "has content", content: { list: [inner, { inner }] } })],
  ["returns as summary", (summary) => ({ summary, content: "has a summary" })],
  ["throws", (value) => throwIt(value)],
  ["rejects with", (value) => Promise.reject(value)],
  ["throws as a cause", (cause) => throwIt(new Error("outer", { cause }))],
  ["throws as a member", (member) => throwIt(new AggregateError([member, new Error("other")], "outer"))],
];

const hostileEntries = Object.entries(hostileValues);

describe.each(deliveries)("a tool that %s", (how, deliver) => {
  // Mutant seen to fail: an `errorToText` that asks a revoked proxy whether it is an array.
  it.each(hostileEntries)(
    "W1 W3 W8: %s has one result within the limit, and its siblings are unharmed",
    async (_what, make) => {
      const tools = [hostileTool("Hostile", deliver, make), toolOf("Kind", () => "done")];
      const calls = ["Kind", "Hostile", "Kind"].map((toolName, index) => ({
        toolCallId: `call-${index}`,
        toolName,
        input: {},
      }));
      const results = await executeTools(calls, { tools, toolOutput });
      const kind = { toolName: "Kind", summary: "done", isError: false };
      expect(results).toEqual([
        { toolCallId: "call-0", ...kind },
        expect.anything(),
        { toolCallId: "call-2", ...kind },
      ]);
      expectSound(results[1], "Hostile");
      if (/throws|rejects/.test(how)) expect(results[1]?.isError).toBe(true);
    },
  );
});

describe.each(ways)("through %s", (_way, runBatch) => {
  it.each(deliveries)(
    "W3 W13: the provider accepts what comes of all of them in one batch, where a tool %s them",
    async (_how, deliver) => {
      const tools = hostileEntries.map(([, make], index) => hostileTool(`Hostile${index}`, deliver, make));
      const calls = tools.map(({ name }) => ({ toolCallId: `of-${name}`, toolName: name, input: {} }));
      const seen = await runBatch(calls, { tools, toolOutput });
      expect(seen.results.map(({ toolCallId }) => toolCallId)).toEqual(calls.map(({ toolCallId }) => toolCallId));
      for (const [index, result] of seen.results.entries()) expectSound(result, `Hostile${index}`);
      expect(seen.received).toEqual(
        seen.results.map((result) => ({
          toolCallId: result.toolCallId,
          text: renderToolResult(result),
          isError: result.isError,
        })),
      );
    },
  );
});

describe("content without an end", () => {
  it.each(Object.entries(endlessValues))("W8: is left out from a point on: %s", async (_what, make) => {
    const tools = [hostileTool("Endless", (content) => ({ summary: "endless", content }), make)];
    const [result] = await executeTools([{ toolCallId: "call-1", toolName: "Endless", input: {} }], {
      tools,
      toolOutput,
    });
    expectSound(result, "Endless");
    expect(result).toMatchObject({ summary: "endless", isError: false, truncation: { maxBytes: LIMIT } });
  });
});

describe("a thenable", () => {
  it("W3 W8: that settles more than once counts once, and one that throws after it settled does not throw", async () => {
    const settleTwice = (resolve: (output: unknown) => void, reject: (reason: unknown) => void) => {
      resolve({ summary: "first" });
      resolve("second");
      reject(new Error("third"));
      throw new Error("fourth");
    };
    const tools = [
      hostileTool(
        "Read",
        (value) => value,
        () => define("then", settleTwice),
      ),
    ];
    const [result] = await executeTools([{ toolCallId: "call-1", toolName: "Read", input: {} }], { tools });
    expect(result).toEqual({ toolCallId: "call-1", toolName: "Read", summary: "first", isError: false });
  });
});

/** It hands over what no tool may. Whatever settles at all settles before any timer fires. */
function hostileTool(name: string, deliver: (value: unknown) => unknown, make: () => unknown): Tool {
  return toolOf(name, () => deliver(make()) as string, { timeoutMs: 1 });
}

function throwIt(thrown: unknown): never {
  throw thrown;
}

function expectSound(result: ToolResult | undefined, toolName: string): void {
  if (result === undefined) expect.fail("no result");
  expect(result.toolName).toBe(toolName);
  expect(typeof result.isError).toBe("boolean");
  expect(Buffer.byteLength(result.content ?? "")).toBeLessThanOrEqual(LIMIT);
  expect(Buffer.byteLength(result.summary)).toBeLessThanOrEqual(2_048);
  expect(renderToolResult(result)).not.toBe("");
  expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  expect([result, result.truncation].every(Object.isFrozen)).toBe(true);
  const fields = ["toolCallId", "toolName", "summary", "summaryIsDerived", "content", "isError", "truncation"];
  expect(Object.keys(result).filter((field) => !fields.includes(field))).toEqual([]);
  expect([result.summary, result.content ?? ""].every((text) => text.isWellFormed())).toBe(true);
}

function define(key: string, value: unknown): object {
  return Object.defineProperty({}, key, { value });
}
