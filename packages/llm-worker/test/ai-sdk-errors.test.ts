import { inspect } from "node:util";
import { APICallError, JSONParseError, LoadAPIKeyError, TypeValidationError } from "@ai-sdk/provider";
import { LlmError, type LlmRequest } from "@pod/llm-worker";
import { describe, expect, it, vi } from "vitest";
import { ASK, handMadeModel, streamAll } from "./hand-made-model.js";

const TOOL_TEXT = "secret-of-the-file: correct horse battery staple";
const KEY = "sk-ant-api03-0123456789abcdef";
const url = `https://api.example.com/v1/messages?key=${KEY}`;
const ASK_WITH_TOOL_TEXT: LlmRequest = {
  messages: [
    { role: "user", text: "read it" },
    { role: "assistant", parts: [{ type: "tool-call", toolCallId: "1", toolName: "Read", input: {} }] },
    { role: "tool", results: [{ toolCallId: "1", toolName: "Read", summary: TOOL_TEXT, isError: false }] },
  ],
  tools: [],
};

interface Refusal {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly statusCode?: number;
  readonly cause?: unknown;
}

/** As the SDK makes it: the whole request and the headers of the answer are in it. */
function apiCallError({ statusCode, headers = {}, body, cause }: Refusal): APICallError {
  return new APICallError({
    message: "refused",
    url,
    requestBodyValues: { messages: TOOL_TEXT, key: KEY },
    responseHeaders: headers,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(body === undefined ? {} : { responseBody: typeof body === "string" ? body : JSON.stringify(body), data: body }),
    ...(cause === undefined ? {} : { cause }),
  });
}

const refused = (refusal: Refusal, request?: LlmRequest) => failWith(apiCallError(refusal), request);

/** What the client throws where the model rejects with `error`. */
function failWith(error: unknown, request = ASK): Promise<LlmError> {
  const model = { ...handMadeModel([]), doStream: () => Promise.reject(error) };
  return caught(streamAll(model, request));
}

/** What the client throws where the model's stream holds an error. */
const failInStream = (error: unknown, request = ASK) =>
  caught(streamAll(handMadeModel([{ type: "error", error }]), request));

async function caught(work: Promise<unknown>): Promise<LlmError> {
  const [outcome] = await Promise.allSettled([work]);
  if (outcome.status === "rejected" && outcome.reason instanceof Error) return outcome.reason as LlmError;
  throw new Error("expected a failure");
}

const anthropicError = (type: string, message = "No.") => ({ type: "error", error: { type, message } });

describe("fromLanguageModel: refusals", () => {
  it.each([
    ["Anthropic's", anthropicError("rate_limit_error"), "rate_limit_error"],
    ["OpenAI's", { error: { message: "No.", type: "tokens", code: "rate_limit_exceeded" } }, "rate_limit_exceeded"],
    ["OpenAI's without a code", { error: { message: "No.", type: "server_error", code: null } }, "server_error"],
    ["Google's", { error: { code: 429, message: "No.", status: "RESOURCE_EXHAUSTED" } }, "RESOURCE_EXHAUSTED"],
    ["a proxy's", "<html>Too many requests</html>", undefined],
    ["one that is text instead of a code", { error: { type: `${TOOL_TEXT} ${TOOL_TEXT}` } }, undefined],
    ["none", undefined, undefined],
  ])("reads the status and the provider's own code: %s", async (_whose, body, code) => {
    const error = await refused({ statusCode: 429, body });
    expect(error).toMatchObject({ name: "LlmError", kind: "status", status: 429 });
    expect(error.code).toBe(code);
  });

  it("says who answered what, and why", async () => {
    const body = anthropicError("invalid_request_error", "prompt is too long: 212000 tokens > 200000 maximum");
    expect((await refused({ statusCode: 400, body })).message).toBe(
      "fake.messages fake-1 answered 400 (invalid_request_error): prompt is too long: 212000 tokens > 200000 maximum",
    );
  });

  it("reads the code where the SDK did not", async () => {
    const error = new APICallError({
      message: "",
      url,
      requestBodyValues: {},
      statusCode: 529,
      responseBody: JSON.stringify(anthropicError("overloaded_error")),
    });
    expect(await failWith(error)).toMatchObject({ status: 529, code: "overloaded_error" });
  });
});

describe("fromLanguageModel: rate-limit headers", () => {
  const DATE = "Mon, 30 Nov 2026 12:00:00 GMT";

  it.each<[string, Record<string, string>, number | undefined]>([
    ["milliseconds", { "retry-after-ms": "1500" }, 1500],
    ["milliseconds before seconds", { "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    ["seconds", { "retry-after": "7" }, 7000],
    ["no wait", { "retry-after": "0" }, 0],
    ["a fraction of a second", { "retry-after": "0.25" }, 250],
    ["a date, by the provider's clock", { "retry-after": "Mon, 30 Nov 2026 12:00:42 GMT", date: DATE }, 42_000],
    ["a date of the long form", { "retry-after": "Monday, 30-Nov-26 12:00:42 GMT", date: DATE }, 42_000],
    ["a date that is over", { "retry-after": "Mon, 30 Nov 2026 11:00:00 GMT", date: DATE }, 0],
    ["a name in capitals", { "Retry-After": "7" }, 7000],
    ["seconds where the milliseconds make no sense", { "retry-after-ms": "soon", "retry-after": "7" }, 7000],
    ["a negative number", { "retry-after": "-5" }, undefined],
    ["an exponent", { "retry-after": "1e3" }, undefined],
    ["words", { "retry-after": "soon" }, undefined],
    ["NaN", { "retry-after": "NaN" }, undefined],
    ["more than a number can hold", { "retry-after": "9".repeat(400) }, undefined],
    ["a date that is none", { "retry-after": "Mon, 99 Foo 2026 12:00:00 GMT" }, undefined],
    ["an empty value", { "retry-after": "" }, undefined],
  ])("W11: reads retry-after: %s", async (_what, headers, retryAfterMs) => {
    expect((await refused({ statusCode: 429, headers })).retryAfterMs).toBe(retryAfterMs);
  });

  it("W11: reads a date by our own clock where the provider states none", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(DATE) });
    try {
      const headers = { "retry-after": "Mon, 30 Nov 2026 12:00:42 GMT" };
      expect((await refused({ statusCode: 503, headers })).retryAfterMs).toBe(42_000);
    } finally {
      vi.useRealTimers();
    }
  });

  const [INPUT, OPENAI, BOTH] = [
    "anthropic-ratelimit-input-tokens-limit",
    "x-ratelimit-limit-tokens",
    "anthropic-ratelimit-tokens-limit",
  ];
  it.each<[string, Record<string, string>, number | undefined]>([
    ["Anthropic's of input", { [BOTH]: "90000", [INPUT]: "30000" }, 30_000],
    ["OpenAI's", { [OPENAI]: "200000" }, 200_000],
    ["Anthropic's of input and output", { [BOTH]: "90000" }, 90_000],
    ["the next where the first makes no sense", { [INPUT]: "many", [BOTH]: "90000" }, 90_000],
    ["none where it is 0", { [INPUT]: "0" }, undefined],
    ["none where it is a fraction", { [INPUT]: "30000.5" }, undefined],
    ["none where it is no number", { [OPENAI]: "NaN" }, undefined],
    ["none", {}, undefined],
  ])("W12: reads the provider's whole limit: %s", async (_what, headers, limit) => {
    expect((await refused({ statusCode: 429, headers })).inputTokenLimit).toBe(limit);
  });
});

describe("fromLanguageModel: other failures", () => {
  const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });

  it.each([
    ["an APICallError without a status", apiCallError({}), "network"],
    ["a socket that dies while the answer is read", apiCallError({ statusCode: 200, cause: reset }), "network"],
    ["a failed fetch", new TypeError("fetch failed"), "network"],
    ["a name that does not resolve", Object.assign(new Error(""), { code: "EAI_AGAIN" }), "network"],
    ["a time-out of the host's own fetch", new DOMException("too slow", "TimeoutError"), "network"],
    ["an answer that is no JSON", new JSONParseError({ text: TOOL_TEXT, cause: new Error() }), "protocol"],
    ["an answer of another shape", TypeValidationError.wrap({ value: TOOL_TEXT, cause: new Error() }), "protocol"],
    ["an answer of status 200 that cannot be read", apiCallError({ statusCode: 200 }), "protocol"],
  ])("W11: %s can be tried again", async (_what, error, kind) => {
    const failure = await failWith(error);
    expect(failure).toBeInstanceOf(LlmError);
    expect(failure).toMatchObject({ kind });
    expect(failure.status).toBeUndefined();
  });

  // Mutant seen to fail: every failure without a status taken for one of the network.
  it("W11: a model that makes no request, such as one without a key, is not tried again, and says why", async () => {
    const message = "The API key is missing. Pass it as apiKey.";
    const failure = await failWith(new LoadAPIKeyError({ message }));
    expect(failure).not.toBeInstanceOf(LlmError);
    expect(failure).toMatchObject({ name: "AI_LoadAPIKeyError", message });
  });

  it.each<[string, unknown, object]>([
    ["overload", { type: "overloaded_error", message: "Overloaded" }, { kind: "status", status: 529 }],
    ["a rate limit", { type: "rate_limit_error", message: "Slow" }, { kind: "status", status: 429 }],
    ["the provider's own fault", { type: "api_error", message: "Oops" }, { kind: "status", status: 500 }],
    ["OpenAI's fault", { message: "Oops", type: "server_error", code: null }, { kind: "status", status: 500 }],
    ["a status in place of a code", { message: "Slow", code: 429 }, { kind: "status", status: 429 }],
    ["a fault that nobody documented", { type: "odd_error", message: "?" }, { kind: "protocol", code: "odd_error" }],
    ["a part that is no JSON", new JSONParseError({ text: TOOL_TEXT, cause: new Error() }), { kind: "protocol" }],
    ["a word", "down", { kind: "protocol" }],
    ["nothing", undefined, { kind: "protocol" }],
  ])("W11: an error in the stream is read like a refusal: %s", async (_what, error, expected) => {
    const failure = await failInStream(error);
    expect(failure).toBeInstanceOf(LlmError);
    expect(failure).toMatchObject(expected);
  });

  it("W12: an error in the stream has its limits from the headers of the answer", async () => {
    const { doStream, ...model } = handMadeModel([{ type: "error", error: { type: "rate_limit_error" } }]);
    const headers = { "anthropic-ratelimit-input-tokens-limit": "30000", "retry-after": "7" };
    const failure = await caught(
      streamAll({ ...model, doStream: async (options) => ({ ...(await doStream(options)), response: { headers } }) }),
    );
    expect(failure).toMatchObject({ status: 429, inputTokenLimit: 30_000, retryAfterMs: 7000 });
  });
});

describe("fromLanguageModel: errors end up in logs", () => {
  const echo = `messages.2.content.0: ${JSON.stringify(TOOL_TEXT)} is not allowed`;
  // Mutants seen to fail: the APICallError as cause; the provider's sentence quoted unread.
  it.each([
    ["a refusal", apiCallError({ statusCode: 400, body: anthropicError("invalid_request_error") })],
    [
      "a refusal that repeats the request",
      apiCallError({ statusCode: 400, body: anthropicError("invalid_request_error", echo) }),
    ],
    [
      "a refusal that repeats a part of it",
      apiCallError({ statusCode: 400, body: anthropicError("e", TOOL_TEXT.slice(13, 40)) }),
    ],
    [
      "a refusal that repeats the key",
      apiCallError({ statusCode: 401, body: anthropicError("authentication_error", `no such key: ${KEY}`) }),
    ],
    ["a failed connection", apiCallError({ cause: new Error(`${TOOL_TEXT} ${KEY}`) })],
    ["an unreadable answer", new JSONParseError({ text: TOOL_TEXT, cause: new Error(KEY) })],
    ["a model's own mistake", new TypeError(`cannot send ${TOOL_TEXT}`)],
    ["a text", TOOL_TEXT],
  ])("none holds what was sent, or the key: %s", async (_what, thrown) => {
    for (const fail of [failWith, failInStream]) {
      const error = await fail(thrown, ASK_WITH_TOOL_TEXT);
      const logged = `${inspect(error, { depth: null, showHidden: true })} ${JSON.stringify(error)} ${error.message}`;
      expect(logged).not.toMatch(/correct|horse|staple/);
      expect(logged).not.toContain(KEY);
    }
  });

  it("quotes one line of the provider's words, at most 300 characters of it", async () => {
    const message = `${"many words ".repeat(40)}\nsecond line`;
    const error = await refused({ statusCode: 400, body: anthropicError("invalid_request_error", message) });
    expect(error.message).toContain("many words");
    expect(error.message).not.toContain("second line");
    expect(error.message.length).toBeLessThan(400);
  });
});
