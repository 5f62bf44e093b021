import type { Interceptor, Tool, ToolCall, WorkerEvent } from "@pod/llm-worker";
import { describe, expect, it } from "vitest";
import { type BatchOptions, type SeenBatch, ways } from "./support/through-both.js";
import { toolOf } from "./support/tool-of.js";

const LIMIT = 300;
const BAD_ID = "call-2";
const calls: readonly ToolCall[] = ["call-1", BAD_ID, "call-3"].map((toolCallId) => ({
  toolCallId,
  toolName: "Read",
  input: {},
}));

/** What an interceptor hands back or does. A thrown thing has the canary, as has the output that it would have seen. */
type Misdeed = readonly [name: string, act: (frozen: object) => unknown, fault?: "threw" | "timed-out"];

const never = new Promise<never>(() => {});
const trapped = new Proxy(
  {},
  {
    get: refuse,
    has: refuse,
    ownKeys: refuse,
    getPrototypeOf: refuse,
    getOwnPropertyDescriptor: refuse,
  },
);

const misdeeds: readonly Misdeed[] = [
  ["throws an error", throwing(new Error("CANARY")), "threw"],
  ["throws a text", throwing("CANARY"), "threw"],
  ["throws nothing", throwing(undefined), "threw"],
  ["throws a revoked proxy", throwing(revoked()), "threw"],
  ["throws a proxy that refuses everything", throwing(trapped), "threw"],
  ["rejects", () => Promise.reject(new Error("CANARY")), "threw"],
  ["rejects with a revoked proxy", () => Promise.reject(revoked()), "threw"],
  ["writes to what it is shown", (frozen) => Object.assign(frozen, { toolCallId: "CANARY" }), "threw"],
  ["adds to what it is shown", (frozen) => Object.assign(frozen, { extra: "CANARY" }), "threw"],
  ["returns a revoked proxy", () => revoked(), "threw"],
  ["returns a proxy that refuses everything", () => trapped, "threw"],
  ["resolves to something whose type throws", async () => withGetter({}, "type"), "threw"],
  ["returns a thenable that throws", () => define({}, "then", { value: refuse }), "threw"],
  ["returns something whose then throws", () => withGetter({ type: "edit" }, "then"), "threw"],
  ["returns a thenable that never settles", () => define({}, "then", { value: () => {} }), "timed-out"],
  ["never settles", () => never, "timed-out"],
  ...[7, Number.NaN, 7n, "edit", "", true, false, null, Symbol("edit"), () => ({ type: "edit" })].map(
    (value): Misdeed => [`returns ${String(value)}`, () => value],
  ),
  ["returns an object without a type", () => ({})],
  ["returns an array", () => ["edit"]],
  ["returns an unknown type", () => ({ type: "CANARY" })],
  ["returns a type that is no text", () => ({ type: ["edit"] })],
  ["returns a map", () => new Map([["type", "edit"]])],
  ["returns bytes", () => Buffer.from("CANARY")],
  ["returns a generator", () => [{ type: "edit" }].values()],
  ["resolves to null", async () => null],
  ["aborts without a reason", () => ({ type: "abort" })],
  ["aborts with a reason that is no text", () => ({ type: "abort", reason: { text: "CANARY" } })],
  ["aborts with a reason that throws", () => withGetter({ type: "abort" }, "reason"), "threw"],
];

const misdeedsBefore: readonly Misdeed[] = [
  ...misdeeds,
  ["edits without a call", () => ({ type: "edit" })],
  ["edits with a call that is none", () => ({ type: "edit", call: 7 })],
  ["edits with a call that is null", () => ({ type: "edit", call: null })],
  ["edits with a call without a name", () => ({ type: "edit", call: { input: {} } })],
  ["edits with a name that is no text", () => ({ type: "edit", call: { toolName: 7, input: {} } })],
  ["edits with a call that throws", () => ({ type: "edit", call: withGetter({ input: {} }, "toolName") }), "threw"],
  ["edits with a revoked call", () => ({ type: "edit", call: revoked() }), "threw"],
  ["skips without a reason", () => ({ type: "skip" })],
  ["skips with a reason that is no text", () => ({ type: "skip", reason: 7 })],
  ["answers without an output", () => ({ type: "answer" })],
  ["answers with null", () => ({ type: "answer", output: null })],
  ["answers with a number", () => ({ type: "answer", output: 7 })],
  ["answers with an array", () => ({ type: "answer", output: ["CANARY"] })],
  ["answers with bytes", () => ({ type: "answer", output: Buffer.from("CANARY") })],
  ["answers with an empty object", () => ({ type: "answer", output: {} })],
  ["answers with a summary that is no text", () => ({ type: "answer", output: { summary: 7 } })],
  ["answers with a summary that throws", () => ({ type: "answer", output: withGetter({}, "summary") }), "threw"],
  [
    "answers with a content that throws",
    () => ({ type: "answer", output: withGetter({ summary: "CANARY" }, "content") }),
    "threw",
  ],
  ["answers with a revoked output", () => ({ type: "answer", output: revoked() }), "threw"],
];

const misdeedsAfter: readonly Misdeed[] = [
  ...misdeeds,
  ["skips", () => ({ type: "skip", reason: "CANARY" })],
  ["answers", () => ({ type: "answer", output: "CANARY" })],
  ["edits a summary to null", () => ({ type: "edit", summary: null, content: "CANARY" })],
  ["edits a summary to a number", () => ({ type: "edit", summary: 7 })],
  ["edits content to null", () => ({ type: "edit", summary: "CANARY", content: null })],
  ["edits content to an object", () => ({ type: "edit", content: { text: "CANARY" } })],
  ["edits nothing", () => ({ type: "edit" })],
  ["mistypes one of two fields", () => ({ type: "edit", contents: "[redacted]", isError: false })],
  ["edits a field of another name", () => ({ type: "edit", text: "CANARY" })],
  ["edits isError to a text", () => ({ type: "edit", content: "CANARY", isError: "true" })],
  ["edits with a summary that throws", () => withGetter({ type: "edit" }, "summary"), "threw"],
  ["edits with content that throws", () => withGetter({ type: "edit", summary: "CANARY" }, "content"), "threw"],
];

describe.each(ways)("through %s", (_way, runBatch) => {
  // Mutants seen to fail: a fault that lets the call run; `instanceof` on what was thrown (it asks a foreign proxy).
  it.for(misdeedsBefore)(
    "W2: a call is not executed where the second of three interceptors %s",
    async ([, act, fault = "returned nonsense"]) => {
      const { options, executed, asked, shown } = arrange({ preToolCall: (call) => actOn(call, act) });
      const seen = await runBatch(calls, options);

      expectOneFailure(seen, "preToolCall", fault);
      expect(executed.toSorted()).toEqual(["call-1", "call-3"]);
      expect(asked).toEqual(["1 call-1", "3 call-1", `1 ${BAD_ID}`, "1 call-3", "3 call-3"]);
      expect(shown.toSorted()).toEqual(["1 call-1", "1 call-2", "1 call-3", "3 call-1", "3 call-2", "3 call-3"]);
    },
  );

  // Mutant seen to fail: a fault that lets the draft through.
  it.for(misdeedsAfter)(
    "W2: an output is withheld where the second of three interceptors %s",
    async ([, act, fault = "returned nonsense"]) => {
      const { options, executed, shown } = arrange({ postToolCall: (draft) => actOn(draft, act) });
      const seen = await runBatch(calls, options);

      expectOneFailure(seen, "postToolCall", fault);
      expect(executed.toSorted()).toEqual(["call-1", "call-2", "call-3"]);
      expect(shown.toSorted()).toEqual(["1 call-1", "1 call-2", "1 call-3", "3 call-1", "3 call-3"]);
    },
  );
});

function arrange(second: Interceptor) {
  const executed: string[] = [];
  const asked: string[] = [];
  const shown: string[] = [];
  const recorder = (place: number): Interceptor => ({
    preToolCall: ({ toolCallId }) => void asked.push(`${place} ${toolCallId}`),
    postToolCall: ({ toolCallId }) => void shown.push(`${place} ${toolCallId}`),
  });
  const execute: Tool["execute"] = (_input, { toolCallId }) => {
    executed.push(toolCallId);
    const text = toolCallId === BAD_ID ? "CANARY" : "x".repeat(1_000);
    return { summary: text.slice(0, 10), content: text };
  };
  const options: BatchOptions = {
    tools: [toolOf("Read", execute)],
    interceptors: [recorder(1), second, recorder(3)],
    toolOutput: { defaultMaxBytes: LIMIT, perTool: {} },
    // Whatever settles at all settles before any timer fires.
    interceptorTimeoutMs: 1,
  };
  return { options, executed, asked, shown };
}

function expectOneFailure(seen: SeenBatch, hook: keyof Interceptor, fault: string): void {
  const sibling = {
    toolName: "Read",
    summary: "xxxxxxxxxx",
    content: `${"x".repeat(LIMIT - 51)}\n\n[truncated: 751 bytes dropped, refine your query]`,
    isError: false,
    truncation: { maxBytes: LIMIT, originalBytes: 1_000, keptBytes: LIMIT - 51, droppedBytes: 751 },
  };
  expect(seen.results).toEqual([
    { toolCallId: "call-1", ...sibling },
    { toolCallId: BAD_ID, toolName: "Read", summary: "interceptor 2 failed", isError: true },
    { toolCallId: "call-3", ...sibling },
  ]);
  expect(seen.received.map(({ toolCallId }) => toolCallId)).toEqual(["call-1", BAD_ID, "call-3"]);
  expect(seen.received[1]).toEqual({ toolCallId: BAD_ID, text: "interceptor 2 failed", isError: true });
  const failure: WorkerEvent = {
    type: "interceptor-failed",
    toolCallId: BAD_ID,
    toolName: "Read",
    interceptor: 2,
    hook,
    fault: fault as "threw",
  };
  expect(seen.events.filter(({ type }) => type === "interceptor-failed")).toEqual([failure]);
  expect(seen.everything).not.toContain("CANARY");
}

/** Misbehaves for one call of three. What comes of it is none of the types that an interceptor may return. */
function actOn(shown: { readonly toolCallId: string }, act: Misdeed[1]): undefined {
  return shown.toolCallId === BAD_ID ? (act(shown) as undefined) : undefined;
}

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

function refuse(): never {
  throw new Error("CANARY");
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function withGetter(object: object, key: string): object {
  return define(object, key, { get: refuse });
}

function define(object: object, key: string, descriptor: PropertyDescriptor): object {
  return Object.defineProperty(object, key, { enumerable: true, ...descriptor });
}
