import { inspect } from "node:util";
import { createAnthropic } from "@ai-sdk/anthropic";
import { type AssistantPart, createWorker, executeTools, LlmError, type LlmRequest, type Tool } from "@pod/llm-worker";
import { fromLanguageModel } from "@pod/llm-worker/ai-sdk";
import {
  answer,
  createFakeClock,
  type Fault,
  refuse,
  repliesInOrder,
  type Script,
  text,
  thinking,
  toolUse,
  within,
  withProvider,
} from "@pod/test-harness";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ASK, streamAll, streamBlocks } from "./hand-made-model.js";
import { type ScriptedReply, withServer } from "./scripted-server.js";

const KEY = "sk-ant-not-a-key-0123456789";
const modelAt = ({ url }: { readonly url: string }) =>
  createAnthropic({ baseURL: url, apiKey: KEY })("claude-sonnet-4-5");

const tools: readonly Tool[] = [
  {
    name: "Glob",
    description: "Finds files.",
    inputSchema: { type: "object", properties: { pattern: { type: "string" } }, required: ["pattern"] },
    execute: () => ({ summary: "2 files", content: "a.ts\nb.ts" }),
  },
  { name: "Read", description: "Reads a file.", inputSchema: { type: "object" }, execute: () => "x".repeat(300) },
];

/** The next request of a loop: what the model said, and what its calls came to. */
async function nextRequest(parts: readonly AssistantPart[], instructions?: string): Promise<LlmRequest> {
  const calls = parts.filter((part) => part.type === "tool-call");
  const results = await executeTools(calls, { tools });
  return {
    ...(instructions === undefined ? {} : { instructions }),
    messages: [
      { role: "user", text: "look" },
      { role: "assistant", parts },
      { role: "tool", results },
    ],
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema: { ...inputSchema } })),
  };
}

/** Asks twice; the second body is what the provider received of the first answer. */
const askTwice = (script: Script, instructions?: string) =>
  withProvider({ script }, async (provider) => {
    const parts = await streamBlocks(modelAt(provider));
    await streamAll(modelAt(provider), await nextRequest(parts, instructions));
    const body = provider.requests[1]?.body;
    if (body === undefined) throw new Error("expected a second request");
    return { parts, body };
  });

describe("fromLanguageModel: with the real Anthropic client, over the wire", () => {
  // Mutant seen to fail: reasoning sent without its metadata.
  it("sends back what the model made, unchanged: text, thinking with its signature, calls", async () => {
    const input = { pattern: "**/*.ts", nested: { list: [1, null, "日本 😀 \u2028"], constructor: "x" } };
    const blocks = [
      thinking("let me think 😀", "signed=="),
      text("  Looking around, 見る.\n"),
      toolUse("Glob", input, "toolu_1"),
      toolUse("Read", {}, "toolu_2"),
    ];
    const { body } = await askTwice(repliesInOrder(answer(...blocks), answer(text("done"))));
    expect(body.messages[1]).toEqual({ role: "assistant", content: blocks });
  });

  // Mutants seen to fail: content without its summary, error text sent as text.
  it("W5: sends of each result its summary and content, the content alone under a derived summary, and errors as errors", async () => {
    const calls = [toolUse("Glob", { pattern: "*" }, "1"), toolUse("Read", {}, "2"), toolUse("Gone", {}, "3")];
    const { body } = await askTwice(repliesInOrder(answer(...calls), answer(text("done"))));
    expect(body.messages[2]?.content).toEqual([
      { type: "tool_result", tool_use_id: "1", content: "2 files\na.ts\nb.ts" },
      { type: "tool_result", tool_use_id: "2", content: "x".repeat(300) },
      { type: "tool_result", tool_use_id: "3", content: expect.stringContaining("Gone"), is_error: true },
    ]);
  });

  it("sends instructions as system text, and tools with their schemas", async () => {
    const { body } = await askTwice(repliesInOrder(answer(toolUse("Read", {})), answer(text("ok"))), "Be brief.");
    expect(body.system).toEqual([{ type: "text", text: "Be brief." }]);
    expect(body.tools).toMatchObject([
      { name: "Glob", description: "Finds files.", input_schema: tools[0]?.inputSchema },
      { name: "Read" },
    ]);
  });

  // Mutant seen to fail: broken input sent as it is, which the provider answers with 400.
  it.each([
    ["cut off", '{"pattern": "*', '{"pattern": "*'],
    ["a list", '["*"]', ["*"]],
    ["a text", '"*"', "*"],
    ["null", "null", null],
  ])("W13: a call whose input is no object does not spoil the history: %s", async (_what, inputJson, invalid) => {
    const call = { ...toolUse("Glob", {}, "1"), inputJson };
    const { parts, body } = await askTwice(repliesInOrder(answer(call), answer(text("done"))));
    expect(parts).toMatchObject([{ type: "tool-call", input: invalid }]);
    expect(body.messages[1]?.content).toEqual([{ type: "tool_use", id: "1", name: "Glob", input: { invalid } }]);
    expect(body.messages[2]?.content).toMatchObject([{ tool_use_id: "1", is_error: true }]);
  });

  // Mutants seen to fail: the name sent as the model wrote it; the id.
  it.each<[string, Parameters<typeof toolUse>]>([
    ["a name with other characters", ["$READFILE", {}, "1"]],
    ["a name that is a command", ["psql postgresql://db", {}, "1"]],
    ["no name", ["", {}, "1"]],
    ["a name of 1 MB", ["x".repeat(1_000_000), {}, "1"]],
    ["a name that becomes a member of Object.prototype", ["_.proto__", {}, "1"]],
    ["an id with other characters", ["Glob", { pattern: "*" }, "functions.Glob:0"]],
    ["an id of 1 MB", ["Glob", { pattern: "*" }, "x".repeat(1_000_000)]],
  ])("W5: a call that no provider takes back as it is does not spoil the history: %s", (_what, call) =>
    withProvider(
      { script: repliesInOrder(answer(toolUse(...call)), answer(text("a")), answer(text("b"))) },
      async (provider) => {
        const worker = createWorker({ client: fromLanguageModel(modelAt(provider)), tools });
        await worker.run("look");
        await worker.run("again");
        expect(provider.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
        const [toolName, , toolCallId] = call;
        expect(worker.history[1]).toMatchObject({ parts: [{ toolName, toolCallId }] });
      },
    ),
  );

  // Mutant seen to fail: blank text sent, which the provider answers with 400.
  it("W5: sends no blank text back, and no message without content", async () => {
    await withProvider({ script: repliesInOrder(answer(text("done"))) }, async (provider) => {
      const parts: AssistantPart[] = [{ type: "text", text: "\n\n" }];
      const messages: LlmRequest["messages"] = [
        { role: "user", text: "look" },
        { role: "assistant", parts },
        { role: "user", text: "again" },
      ];
      await streamAll(modelAt(provider), { instructions: "", messages, tools: [] });
      expect(provider.requests[0]?.body.messages.map(({ role }) => role)).not.toContain("assistant");
      expect(provider.requests[0]?.body.system).toBeUndefined();
    });
  });

  it("sends redacted thinking back", async () => {
    const data = "c2VhbGVk";
    const redacted = [
      { type: "content_block_start", index: 0, content_block: { type: "redacted_thinking", data } },
      { type: "content_block_stop", index: 0 },
    ];
    await withServer([messageOf(...redacted, ...blockOf("hi", 1)), messageOf(...blockOf("done"))], async (server) => {
      const parts = await streamBlocks(modelAt(server));
      const messages: LlmRequest["messages"] = [
        { role: "user", text: "look" },
        { role: "assistant", parts },
        { role: "user", text: "again" },
      ];
      await streamAll(modelAt(server), { messages, tools: [] });
      expect(server.bodies[1]?.messages).toMatchObject([
        {},
        {
          content: [
            { type: "redacted_thinking", data },
            { type: "text", text: "hi" },
          ],
        },
        {},
      ]);
    });
  });

  it("reports the usage, tokens from the cache counted in", () =>
    withProvider({ script: () => ({ ...answer(text("hi")), cacheReadInputTokens: 2 }) }, async (provider) => {
      const parts = await streamAll(modelAt(provider));
      const inputTokens = provider.requests[0]?.inputTokens;
      expect(parts.at(-1)).toMatchObject({ type: "finish", usage: { inputTokens, cachedInputTokens: 2 } });
    }));
});

describe("fromLanguageModel: when the provider fails, over the wire", () => {
  it.each([
    [408, "timeout_error"],
    [413, "request_too_large"],
    [500, "api_error"],
    [529, "overloaded_error"],
  ])("W11: a %i is one request, and an LlmError with what the provider says", (status, code) =>
    withProvider({ script: () => refuse(status, { "retry-after": "7" }) }, async (provider) => {
      const failing = streamAll(modelAt(provider));
      await expect(failing).rejects.toMatchObject({ kind: "status", status, code, retryAfterMs: 7000 });
      expect(provider.requests).toHaveLength(1);
    }),
  );

  it("W12: a 429 has the provider's limit and the wait, and nothing of the request", () =>
    withProvider(
      { script: () => answer(text("hi")), inputTokensPerMinute: 1000, clock: createFakeClock() },
      async (provider) => {
        const toolText = "node_modules/left-pad/index.js\n".repeat(1000);
        const results = await executeTools([{ toolCallId: "1", toolName: "Read", input: {} }], {
          tools: [{ ...tool("Read"), execute: () => toolText }],
        });
        const parts: AssistantPart[] = [{ type: "tool-call", toolCallId: "1", toolName: "Read", input: {} }];
        const messages: LlmRequest["messages"] = [
          { role: "user", text: "look" },
          { role: "assistant", parts },
          { role: "tool", results },
        ];
        const [outcome] = await Promise.allSettled([streamAll(modelAt(provider), { messages, tools: [] })]);
        const error: unknown = outcome.status === "rejected" ? outcome.reason : undefined;
        expect(error).toBeInstanceOf(LlmError);
        expect(error).toMatchObject({ status: 429, code: "rate_limit_error", inputTokenLimit: 1000 });
        expect(error).toHaveProperty("retryAfterMs", expect.any(Number));
        const logged = inspect(error, { depth: null }) + JSON.stringify(error);
        expect(logged).not.toContain("left-pad");
        expect(logged).not.toContain(KEY);
      },
    ));

  const blocks = [text("looking around"), toolUse("Glob", { pattern: "*" })];
  const broken = (ending: "reset" | "end" | "error" | "malformed", keptEvents?: number): Fault => ({
    type: "broken-stream",
    blocks,
    ending,
    ...(keptEvents === undefined ? {} : { keptEvents }),
  });
  it.each<[string, Fault, object]>([
    ["reset before the first byte", { type: "no-answer", ending: "reset" }, { kind: "network" }],
    ["reset in mid-stream", broken("reset"), { kind: "network" }],
    ["ended too soon", broken("end"), { kind: "protocol" }],
    ["ended before its first event", broken("end", 0), { kind: "protocol" }],
    ["with an event that is no JSON", broken("malformed"), { kind: "protocol" }],
    ["with an error event", broken("error"), { kind: "status", status: 529, code: "overloaded_error" }],
    ["whose first event is an error", broken("error", 0), { kind: "status", status: 529, code: "overloaded_error" }],
  ])("W11: an answer %s is an LlmError", (_what, fault, expected) =>
    withProvider({ script: () => fault }, async (provider) => {
      const failing = within(streamAll(modelAt(provider)), "the failure");
      await expect(failing).rejects.toMatchObject({ name: "LlmError", ...expected });
      expect(provider.requests).toHaveLength(1);
    }),
  );

  // Mutant seen to fail: the SDK's 500 believed, though the event says rate_limit_error.
  it.each([["first"], ["last"]])("W11: an error event that comes %s has its documented status", (place) => {
    const events = [...(messageOf(...blockOf("hi")).events ?? [])].slice(0, place === "first" ? 0 : 3);
    const error = { type: "error", error: { type: "rate_limit_error", message: "Slow down." } };
    return withServer([{ events: [...events, error] }], async (server) => {
      const failing = streamAll(modelAt(server));
      await expect(failing).rejects.toMatchObject({ kind: "status", status: 429, code: "rate_limit_error" });
    });
  });

  it("W11: a port that nobody listens on is a network failure", async () => {
    const url = await withServer([], async (server) => server.url);
    const failing = streamAll(modelAt({ url }));
    await expect(failing).rejects.toMatchObject({ kind: "network", message: expect.stringContaining("ECONNREFUSED") });
  });
});

describe("fromLanguageModel: letting go, over the wire", () => {
  it.each<[string, Fault]>([
    ["before the answer", { type: "no-answer", ending: "hang" }],
    ["in mid-stream", { type: "broken-stream", blocks: [text("hi")], ending: "hang" }],
  ])("an abort %s ends the stream with the signal's reason", (_when, fault) => {
    const controller = new AbortController();
    const script: Script = () => {
      setImmediate(() => controller.abort("enough"));
      return fault;
    };
    return withProvider({ script }, (provider) =>
      expect(within(streamAll(modelAt(provider), ASK, controller.signal), "the abort")).rejects.toBe("enough"),
    );
  });

  it("a reader that stops early gives the connection up", () =>
    withServer([{ ...messageOf(...blockOf("hi")), isLeftOpen: true }], async (server) => {
      const stream = fromLanguageModel(modelAt(server)).stream(ASK, { signal: new AbortController().signal });
      for await (const part of stream) if (part.type === "text-delta") break;
      await within(server.dropped, "the client hangs up");
    }));

  describe("a whole answer whose connection is kept open", () => {
    const keptOpen = { ...messageOf(...blockOf("hi")), isLeftOpen: true } as const;
    beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
    afterEach(() => void vi.useRealTimers());

    // Mutant seen to fail: no bound on the read to the end, so that a proxy keeps the connection of each turn.
    it("gives it up after a while", () =>
      withServer([keptOpen], async (server) => {
        expect(await streamBlocks(modelAt(server))).toEqual([{ type: "text", text: "hi" }]);
        await vi.advanceTimersByTimeAsync(1000);
        await server.dropped;
      }));

    // Mutant seen to fail: cancelling after the finish, which costs a connection for each answer.
    it("does not give it up before, since it will serve again", () =>
      withServer([keptOpen, messageOf(...blockOf("again"))], async (server) => {
        const isDropped = vi.fn();
        server.dropped.then(isDropped);
        await streamAll(modelAt(server));
        await streamAll(modelAt(server));
        expect(isDropped).not.toHaveBeenCalled();
      }));
  });
});

function tool(name: string): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}

function blockOf(text: string, index = 0): object[] {
  return [
    { type: "content_block_start", index, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index },
  ];
}

function messageOf(...blocks: readonly object[]): ScriptedReply {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude", content: [], usage };
  return {
    events: [
      { type: "message_start", message },
      ...blocks,
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
      { type: "message_stop" },
    ],
  };
}
