import { once } from "node:events";
import {
  capHistory,
  createWorker,
  type Interceptor,
  type Message,
  renderToolResult,
  type Tool,
  type ToolCall,
  type ToolResult,
} from "@pod/llm-worker";
import { answer, text, withProvider } from "@pod/test-harness";
import { capNaively } from "@pod/test-harness/laws";
import { formatMarker } from "@pod/tool-output-cap";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type BatchOptions,
  receivedResults,
  type SeenBatch,
  throughExecuteTools,
  ways,
} from "./support/through-both.js";
import { toolOf } from "./support/tool-of.js";
import { realClient, resultsIn } from "./support/with-worker.js";

const LIMIT = 1_000;
const UNLIMITED = 2 ** 31 - 1;
const limits = { defaultMaxBytes: LIMIT, perTool: {} };
/** Characters of 1 to 4 bytes, none of which JSON escapes; the canary lies beyond every cut. */
const payload = `${"payload ä€😀 ".repeat(400)}CANARY`;
const call: ToolCall = { toolCallId: "call-1", toolName: "Subject", input: {} };

interface Outcome {
  readonly name: string;
  readonly isError: boolean;
  arrange(): BatchOptions & { readonly calls?: readonly [ToolCall, ...ToolCall[]] };
}

/** Outcomes whose text the tool, the interceptor or the caller makes: the payload is in it, and is cut. */
const carrying: readonly Outcome[] = [
  outcome("success", false, () => returning({ summary: "read", content: payload })),
  outcome("a plain string as output", false, () => returning(payload)),
  outcome("content that is not a string", false, () => returning({ summary: "read", content: { lines: [payload] } })),
  outcome("an oversized summary", false, () => returning({ summary: `read\n${payload}`, content: "more" })),
  outcome("a thrown error", true, () => throwing(new Error(payload))),
  outcome("the cause of a thrown error", true, () => throwing(new Error("failed", { cause: new Error(payload) }))),
  outcome("a thrown text", true, () => throwing(payload)),
  outcome("a thrown object", true, () => throwing({ code: payload })),
  outcome("input that a Standard Schema rejects", true, () => ({
    tools: [subject(mustNotRun, { inputSchema: z.object({}).refine(() => false, payload) })],
  })),
  outcome("input that a JSON Schema rejects", true, () => ({
    calls: [{ ...call, input: { [payload]: 1 } }],
    tools: [subject(mustNotRun, { inputSchema: { type: "object", additionalProperties: false } })],
  })),
  outcome("an unknown tool", true, () => ({
    // The provider takes no name that is long, so it is the list of the names there are that is.
    calls: [{ ...call, toolName: "Unknown" }],
    tools: Array.from({ length: 99 }, (_, index) => toolOf(`payload-${index}-${"x".repeat(100)}`, mustNotRun)),
  })),
  outcome("skipped by an interceptor", true, () =>
    intercepting({ preToolCall: () => ({ type: "skip", reason: payload }) }),
  ),
  outcome("answered by an interceptor", false, () =>
    intercepting({ preToolCall: () => ({ type: "answer", output: { summary: "known", content: payload } }) }),
  ),
  outcome("answered with a plain string", false, () =>
    intercepting({ preToolCall: () => ({ type: "answer", output: payload }) }),
  ),
  outcome("an abort before the call", true, () =>
    intercepting({ preToolCall: () => ({ type: "abort", reason: payload }) }),
  ),
  outcome("an abort after the call", true, () => ({
    ...returning("short"),
    interceptors: [{ postToolCall: () => ({ type: "abort", reason: payload }) }],
  })),
  outcome("content edited in by a post-tool interceptor", false, () => ({
    ...returning("short"),
    interceptors: [{ postToolCall: () => ({ type: "edit", content: payload }) }],
  })),
  outcome("a summary edited in by a post-tool interceptor", false, () => ({
    ...returning("short"),
    interceptors: [{ postToolCall: () => ({ type: "edit", summary: payload }) }],
  })),
  outcome("an error made of an output by a post-tool interceptor", true, () => ({
    ...returning(payload),
    interceptors: [{ postToolCall: () => ({ type: "edit", isError: true }) }],
  })),
];

/** Outcomes whose text is ours: the payload is what comes too late, or what a fault says, and is nowhere. */
const withholding: readonly (Outcome & { readonly text: string | RegExp })[] = [
  {
    ...outcome("an interceptor that fails before the call", true, () =>
      intercepting({
        preToolCall: () => {
          throw new Error(payload);
        },
      }),
    ),
    text: "interceptor 1 failed",
  },
  {
    ...outcome("an interceptor that fails after the call", true, () => ({
      ...returning({ summary: payload, content: payload }),
      interceptors: [{}, { postToolCall: () => Promise.reject(new Error(payload)) }],
    })),
    text: "interceptor 2 failed",
  },
  {
    ...outcome("a time-out", true, () => ({
      tools: [
        subject(
          async (_input, { signal }) => {
            await once(signal, "abort");
            return { summary: payload, content: payload };
          },
          { timeoutMs: 1 },
        ),
      ],
    })),
    text: /timed out/,
  },
  {
    ...outcome("cancellation", true, () => {
      const caller = new AbortController();
      const cancelAndReturn = () => {
        caller.abort(new Error(payload));
        return { summary: payload, content: payload };
      };
      return { tools: [subject(cancelAndReturn)], signal: caller.signal };
    }),
    text: /cancelled/,
  },
  {
    ...outcome("an abort while the call runs", true, () => ({
      calls: [
        { ...call, toolName: "Slow" },
        { ...call, toolCallId: "call-2" },
      ],
      tools: [
        toolOf("Slow", async (_input, { signal }) => {
          await once(signal, "abort");
          throw new Error(payload);
        }),
        subject(() => "done"),
      ],
      interceptors: [{ postToolCall: () => ({ type: "abort", reason: "enough" }) }],
    })),
    text: /aborted/,
  },
];

// Mutants seen to fail: an error, a skip, an answer, an edit or an abort that returns its draft around makeToolResult.
describe.each(ways)("through %s", (_way, runBatch) => {
  it.each(carrying)("W1 W2 W5 W7: caps $name, the same everywhere", async ({ isError, arrange }) => {
    const full = await readFullContent(arrange());
    const expected = capNaively(full, LIMIT);
    const { calls = [call], ...options } = arrange();
    const seen = await runBatch(calls, { ...options, toolOutput: limits });
    const { toolCallId, toolName } = calls[0];

    expect(full).toContain("payload");
    const [result] = seen.results;
    expect(result).toMatchObject({ toolCallId, toolName, isError });
    expect(result?.content).toBe(expected.text);
    expect(result?.truncation).toEqual(expected.truncation);
    expect(Buffer.byteLength(expected.text)).toBeLessThanOrEqual(LIMIT);
    expect(expected.text.endsWith(`\n\n${formatMarker(expected.truncation?.droppedBytes ?? 0)}`)).toBe(true);
    expectEverywhere(seen, isError);
    expect(seen.events).toContainEqual({
      type: "tool-output-truncated",
      toolCallId,
      toolName,
      ...expected.truncation,
    });
    expectNowhere("CANARY", seen);
  });

  it.each(withholding)("W1 W2 W7: says $name and nothing else", async ({ isError, arrange, text }) => {
    const { calls = [call], ...options } = arrange();
    const seen = await runBatch(calls, { ...options, toolOutput: limits });
    const { toolCallId, toolName } = calls[0];

    const [result] = seen.results;
    expect(result).toEqual({ toolCallId, toolName, summary: expect.any(String), isError });
    expect(result?.summary).toMatch(text);
    expectEverywhere(seen, isError);
    expectNowhere("payload", seen);
  });
});

describe("a result in a history that was handed in", () => {
  const poisoned = (result: object): readonly Message[] => [
    { role: "user", text: "go" },
    { role: "assistant", parts: [{ type: "tool-call", ...call }] },
    { role: "tool", results: [{ ...call, summary: "read", isError: false, ...result }] },
  ];

  it.each([
    ["content", { content: payload }, payload, false],
    ["an error", { content: payload, isError: true }, payload, true],
    ["a summary", { summary: payload }, payload, false],
    ["content that is not a string", { content: [payload] }, JSON.stringify([payload]), false],
    [
      "a forged record",
      { content: payload, truncation: { maxBytes: 9e6, originalBytes: 2, keptBytes: 1, droppedBytes: 1 } },
      payload,
      false,
    ],
  ])("W1 W5 W7: caps %s before it is sent", async (_what, result, full, isError) => {
    const expected = capNaively(full, LIMIT);
    await withProvider({ script: () => answer(text("done")) }, async (provider) => {
      const worker = createWorker({
        client: realClient(provider),
        tools: [],
        history: poisoned(result),
        toolOutput: limits,
      });
      await worker.run("go on");
      const [capped] = resultsIn(worker.history);
      expect(capped).toMatchObject({ content: expected.text, truncation: expected.truncation, isError });
      expect(receivedResults(provider)).toEqual([{ toolCallId: "call-1", text: render(capped), isError }]);
      expect(provider.requests[0]?.bodyText).not.toContain("CANARY");
      expect(resultsIn(capHistory(poisoned(result), limits))).toEqual([capped]);
    });
  });
});

function outcome(name: string, isError: boolean, arrange: Outcome["arrange"]): Outcome {
  return { name, isError, arrange };
}

function subject(execute: Tool["execute"], more: Partial<Tool> = {}): Tool {
  return toolOf("Subject", execute, more);
}

function returning(output: Awaited<ReturnType<Tool["execute"]>>): BatchOptions {
  return { tools: [subject(() => output)] };
}

function throwing(thrown: unknown): BatchOptions {
  return { tools: [subject(() => Promise.reject(thrown))] };
}

function intercepting(interceptor: Interceptor): BatchOptions {
  return { tools: [subject(mustNotRun)], interceptors: [interceptor] };
}

function mustNotRun(): never {
  throw new Error("this call was not to be executed");
}

/** The text as it was before the cap. A limit that nothing exceeds shows it. */
async function readFullContent({ calls = [call], ...options }: ReturnType<Outcome["arrange"]>): Promise<string> {
  const toolOutput = { defaultMaxBytes: UNLIMITED, perTool: {} };
  const { results } = await throughExecuteTools(calls, { ...options, toolOutput });
  return results[0]?.content ?? "";
}

function expectEverywhere(seen: SeenBatch, isError: boolean): void {
  const [result] = seen.results;
  expect(seen.received[0]).toEqual({ toolCallId: "call-1", text: render(result), isError });
  expect(seen.events).toContainEqual({ type: "tool-result", result });
}

function expectNowhere(canary: string, { results, received, events }: SeenBatch) {
  const told = events.filter(({ type }) => type !== "tool-call");
  expect(JSON.stringify({ results, received, told })).not.toContain(canary);
}

/** What W5 says, and what `renderToolResult` must give. */
function render(result: ToolResult | undefined): string {
  if (result === undefined) return expect.fail("no result");
  const { summary, summaryIsDerived = false, content } = result;
  const rendered = content === undefined ? summary : summaryIsDerived ? content : `${summary}\n${content}`;
  expect(renderToolResult(result)).toBe(rendered);
  return rendered;
}
