import { describe, expect, it } from "vitest";
import { answer, text } from "../src/scripted-model.js";
import { withProvider } from "../src/with-provider.js";

const HELLO = { role: "user", content: "hello" };
const call = (id = "call_1", input: unknown = {}) => ({ type: "tool_use", id, name: "Glob", input });
const result = (id = "call_1", content: unknown = "a.ts") => ({ type: "tool_result", tool_use_id: id, content });
const asks = (...content: unknown[]) => ({ role: "assistant", content });
const answers = (...content: unknown[]) => ({ role: "user", content });

async function post(body: string | Uint8Array) {
  return withProvider({ script: () => answer(text("hi")) }, async (provider) => {
    const response = await fetch(`${provider.url}/messages`, { method: "POST", body });
    const { type, error } = (await response.json()) as { type: string; error?: { type: string; message: string } };
    expect(provider.requests[0]?.status).toBe(response.status);
    return { status: response.status, type, errorType: error?.type, message: error?.message };
  });
}

function postMessages(messages: unknown, more: object = {}) {
  return post(JSON.stringify({ model: "any", max_tokens: 100, messages, ...more }));
}

describe("histories that the real provider would accept", () => {
  it.each([
    ["a single question", [HELLO]],
    ["a call and its result", [HELLO, asks(call()), answers(result())]],
    [
      "two calls, results in any order, text after them",
      [HELLO, asks(call("a"), call("b")), answers(result("b"), result("a"), { type: "text", text: "go on" })],
    ],
    ["a result without content", [HELLO, asks(call()), answers({ type: "tool_result", tool_use_id: "call_1" })]],
    [
      "thinking with its signature",
      [HELLO, asks({ type: "thinking", thinking: "", signature: "s" }, call()), answers(result())],
    ],
    [
      "a call whose name has 128 characters",
      [HELLO, asks({ ...call(), name: `${"x".repeat(126)}_-` }), answers(result())],
    ],
    ["an emoji, which is a pair of surrogates", [{ role: "user", content: "👍" }]],
  ])("T1: %s", async (_name, messages) => {
    expect(await postMessages(messages)).toMatchObject({ status: 200, type: "message" });
  });
});

// Mutant seen to fail, for each row: the line of check-history.ts or check-request.ts that words its problem, taken out.
describe("400 for what the real provider would refuse", () => {
  it.each<[name: string, messages: unknown, problem: string]>([
    ["no messages", undefined, "messages: Field required"],
    ["an empty list", [], "at least one message is required"],
    [
      "a first message that is not the user's",
      [asks({ type: "text", text: "hi" })],
      "first message must use the user role",
    ],
    ["another role", [HELLO, { role: "tool", content: "x" }], "messages.1.role"],
    ["a message without content", [{ role: "user" }], "messages.0.content: Field required"],
    ["an empty content array", [HELLO, asks()], "all messages must have non-empty content"],
    ["an empty string as content", [{ role: "user", content: "" }], "all messages must have non-empty content"],
    [
      "an empty text block",
      [answers({ type: "text", text: "" })],
      "messages.0.content.0: text content blocks must be non-empty",
    ],
    ["a text block of white space", [answers({ type: "text", text: " \n" })], "must contain non-whitespace text"],
    ["a text block without text", [answers({ type: "text" })], "messages.0.content.0.text.text: Field required"],
    [
      "an empty text block in a result",
      [HELLO, asks(call()), answers(result("call_1", [{ type: "text", text: "" }]))],
      "messages.2.content.0.tool_result: text content blocks must be non-empty",
    ],
    [
      "an error result without content",
      [HELLO, asks(call()), answers({ ...result("call_1", ""), is_error: true })],
      "content cannot be empty if `is_error` is true",
    ],
    [
      "a call with no message after it",
      [HELLO, asks(call())],
      "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: call_1.",
    ],
    ["a call without its result", [HELLO, asks(call("a"), call("b")), answers(result("a"))], "immediately after: b."],
    [
      "a result that comes after text",
      [HELLO, asks(call()), answers({ type: "text", text: "x" }, result())],
      "immediately after: call_1.",
    ],
    ["a result one message late", [HELLO, asks(call()), HELLO, answers(result())], "immediately after: call_1."],
    [
      "a result without its call",
      [HELLO, asks({ type: "text", text: "x" }), answers(result("z"))],
      "messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: z.",
    ],
    ["a result in the first message", [answers(result("z"))], "unexpected `tool_use_id`"],
    [
      "two results for one call",
      [HELLO, asks(call()), answers(result(), result())],
      "messages.2.content.1: each tool_use must have a single result",
    ],
    [
      "the same id twice in a message",
      [HELLO, asks(call(), call()), answers(result())],
      "messages.1.content.1: `tool_use` ids must be unique",
    ],
    [
      "the same id in two messages",
      [HELLO, asks(call()), answers(result()), asks(call()), answers(result())],
      "messages.3.content.0: `tool_use` ids must be unique",
    ],
    ["an empty id", [HELLO, asks(call("")), answers(result(""))], "tool_use.id: String should match pattern"],
    [
      "an id with other characters",
      [HELLO, asks(call("a.b")), answers(result("a.b"))],
      "tool_use.id: String should match pattern",
    ],
    [
      "a call without a name",
      [HELLO, asks({ ...call(), name: undefined }), answers(result())],
      "messages.1.content.0.tool_use.name: Field required",
    ],
    ...["", "$READFILE", "a.b", "見る", "a\n", "x".repeat(129)].map((name): [string, unknown, string] => [
      `a call whose name is ${JSON.stringify(name)}`,
      [HELLO, asks({ ...call(), name }), answers(result())],
      "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ]),
    [
      "a call whose name is longer than 200 characters",
      [HELLO, asks({ ...call(), name: "x".repeat(201) }), answers(result())],
      "messages.1.content.0.tool_use.name: String should have at most 200 characters",
    ],
    [
      "an input that is a string",
      [HELLO, asks(call("a", "{}")), answers(result("a"))],
      "tool_use.input: Input should be a valid dictionary",
    ],
    [
      "an input that is an array",
      [HELLO, asks(call("a", [])), answers(result("a"))],
      "Input should be a valid dictionary",
    ],
    [
      "an input that is null",
      [HELLO, asks(call("a", null)), answers(result("a"))],
      "Input should be a valid dictionary",
    ],
    ["a call of the user's", [answers(call())], "can only be in `assistant` messages"],
    ["a result of the assistant's", [HELLO, asks(result())], "can only be in `user` messages"],
    [
      "thinking without its signature",
      [HELLO, asks({ type: "thinking", thinking: "hm" })],
      "thinking.signature: Field required",
    ],
    [
      "thinking of the user's",
      [answers({ type: "thinking", thinking: "hm", signature: "s" })],
      "can only be in `assistant` messages",
    ],
    ["a block of no known type", [answers({ type: "rumour" })], "Input tag 'rumour'"],
    ["a lone high surrogate", [{ role: "user", content: "\ud83d" }], "not valid JSON: no low surrogate in string"],
    [
      "a lone low surrogate in a result",
      [HELLO, asks(call()), answers(result("call_1", "x\udc00y"))],
      "no low surrogate in string",
    ],
    [
      "a lone surrogate in an input",
      [HELLO, asks(call("a", { q: ["\ud83d"] })), answers(result("a"))],
      "no low surrogate in string",
    ],
    [
      "a lone surrogate in a key",
      [HELLO, asks(call("a", { "\ud83d": 1 })), answers(result("a"))],
      "no low surrogate in string",
    ],
  ])("T1: %s", async (_name, messages, problem) => {
    const refused = await postMessages(messages);
    expect(refused).toMatchObject({ status: 400, type: "error", errorType: "invalid_request_error" });
    expect(refused.message).toContain(problem);
  });

  it.each<[name: string, more: object, problem: string]>([
    ["no model", { model: undefined }, "model: Field required"],
    ["no max_tokens", { max_tokens: undefined }, "max_tokens: Field required"],
    ["max_tokens of 0", { max_tokens: 0 }, "greater than or equal to 1"],
    [
      "an empty system block",
      { system: [{ type: "text", text: "" }] },
      "system: text content blocks must be non-empty",
    ],
    ["tools that are no list", { tools: {} }, "tools: Input should be a valid list"],
    ["a tool name with a dot", { tools: [{ name: "a.b", input_schema: { type: "object" } }] }, "tools.0.custom.name"],
    [
      "a tool schema that is no object's",
      { tools: [{ name: "a", input_schema: {} }] },
      "input_schema.type: Input should be 'object'",
    ],
    [
      "two tools of one name",
      { tools: [1, 2].map(() => ({ name: "a", input_schema: { type: "object" } })) },
      "Tool names must be unique",
    ],
  ])("T1: %s", async (_name, more, problem) => {
    const refused = await postMessages([HELLO], more);
    expect(refused).toMatchObject({ status: 400, errorType: "invalid_request_error" });
    expect(refused.message).toContain(problem);
  });

  it.each([
    ["no JSON", "{"],
    ["JSON that is no object", "[]"],
    ["bytes that are not UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
  ])("T1: %s", async (_name, body) => {
    expect(await post(body)).toMatchObject({ status: 400, errorType: "invalid_request_error" });
  });
});
