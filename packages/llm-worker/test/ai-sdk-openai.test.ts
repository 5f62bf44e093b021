import { createOpenAI } from "@ai-sdk/openai";
import { executeTools, type LlmRequest, type Tool } from "@pod/llm-worker";
import { describe, expect, it } from "vitest";
import { streamAll, streamBlocks } from "./hand-made-model.js";
import { type ScriptedReply, withServer } from "./scripted-server.js";

const modelAt = ({ url }: { readonly url: string }) =>
  createOpenAI({ baseURL: url, apiKey: "not-a-key" }).chat("gpt-5");
const responsesModelAt = ({ url }: { readonly url: string }) =>
  createOpenAI({ baseURL: url, apiKey: "not-a-key" }).responses("gpt-5");

const GLOB: Tool = {
  name: "Glob",
  description: "Finds files.",
  inputSchema: { type: "object", properties: { pattern: { type: "string" } } },
  execute: () => ({ summary: "1 file", content: "a.ts" }),
};

const chunk = (delta: object, finishReason: string | null = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 0,
  model: "gpt-5",
  choices: [{ index: 0, delta, finish_reason: finishReason }],
});
const usage = {
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens: 30, completion_tokens: 7, total_tokens: 37, prompt_tokens_details: { cached_tokens: 20 } },
};
const callDelta = (id: string, json: string) => ({
  tool_calls: [{ index: 0, id, type: "function", function: { name: "Glob", arguments: json } }],
});
const moreArguments = (json: string) => ({ tool_calls: [{ index: 0, function: { arguments: json } }] });

async function nextRequest(parts: Awaited<ReturnType<typeof streamBlocks>>): Promise<LlmRequest> {
  const calls = parts.filter((part) => part.type === "tool-call");
  const results = await executeTools(calls, { tools: [GLOB] });
  return {
    messages: [
      { role: "user", text: "look" },
      { role: "assistant", parts },
      { role: "tool", results },
    ],
    tools: [],
  };
}

describe("fromLanguageModel: with the real OpenAI client, over the wire", () => {
  it("W5: sends back text, call and result, in the order in which the model made them", async () => {
    const asked: ScriptedReply = {
      events: [
        chunk({ role: "assistant", content: "Let me " }),
        chunk({ content: "look." }),
        chunk(callDelta("call_1", '{"patt')),
        chunk(moreArguments('ern":"*"}')),
        chunk({}, "tool_calls"),
        usage,
      ],
    };
    const done: ScriptedReply = { events: [chunk({ content: "done" }), chunk({}, "stop"), usage] };
    await withServer([asked, done], async (server) => {
      const parts = await streamBlocks(modelAt(server));
      expect(parts).toMatchObject([
        { type: "text", text: "Let me look." },
        { type: "tool-call", toolCallId: "call_1", toolName: "Glob", input: { pattern: "*" } },
      ]);
      const finish = (await streamAll(modelAt(server), await nextRequest(parts))).at(-1);
      expect(finish).toEqual({
        type: "finish",
        usage: { inputTokens: 30, outputTokens: 7, cachedInputTokens: 20 },
      });
      expect(server.bodies[1]?.messages).toMatchObject([
        { role: "user", content: "look" },
        {
          role: "assistant",
          content: "Let me look.",
          tool_calls: [{ id: "call_1", function: { name: "Glob", arguments: '{"pattern":"*"}' } }],
        },
        { role: "tool", tool_call_id: "call_1", content: "1 file\na.ts" },
      ]);
    });
  });

  it("hands on a call that was cut off by the length, as the model wrote it", () =>
    withServer([{ events: [chunk(callDelta("call_1", '{"patt')), chunk({}, "length"), usage] }], async (server) => {
      expect(await streamBlocks(modelAt(server))).toMatchObject([
        { type: "tool-call", toolCallId: "call_1", toolName: "Glob", input: '{"patt' },
      ]);
    }));

  // Mutant seen to fail: a finish without a reason taken for one.
  it("W11: an answer that ends before its reason and usage is not whole, though the client finishes it", () =>
    withServer([{ events: [chunk({ content: "Let me" })] }], async (server) => {
      await expect(streamAll(modelAt(server))).rejects.toMatchObject({ name: "LlmError", kind: "protocol" });
    }));

  it("W12: a 429 has OpenAI's code, limit and wait", () => {
    const error = { message: "Rate limit reached", type: "tokens", param: null, code: "rate_limit_exceeded" };
    const headers = { "retry-after-ms": "1250", "retry-after": "2", "x-ratelimit-limit-tokens": "30000" };
    return withServer([{ status: 429, headers, body: { error } }], async (server) => {
      await expect(streamAll(modelAt(server))).rejects.toMatchObject({
        kind: "status",
        status: 429,
        code: "rate_limit_exceeded",
        retryAfterMs: 1250,
        inputTokenLimit: 30_000,
      });
      expect(server.bodies).toHaveLength(1);
    });
  });

  it.each([
    ["first", []],
    ["in mid-stream", [chunk({ content: "Let me" })]],
  ])("W11: an error event that comes %s is a refusal", (_when, before) => {
    const error = { message: "The server had an error", type: "server_error", param: null, code: null };
    return withServer([{ events: [...before, { error }] }], async (server) => {
      const failing = streamAll(modelAt(server));
      await expect(failing).rejects.toMatchObject({ kind: "status", status: 500, code: "server_error" });
    });
  });

  it("W11: an error event of the Responses API is a refusal", () => {
    const created = { type: "response.created", response: { id: "resp_1", created_at: 0, model: "gpt-5" } };
    const error = { type: "rate_limit_error", code: "rate_limit_exceeded", message: "Slow down.", param: null };
    return withServer([{ events: [created, { type: "error", sequence_number: 1, error }] }], async (server) => {
      const failing = streamAll(responsesModelAt(server));
      await expect(failing).rejects.toMatchObject({ kind: "status", status: 429, code: "rate_limit_exceeded" });
    });
  });
});
