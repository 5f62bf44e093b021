import { once } from "node:events";
import type { Interceptor, Tool, ToolCall, ToolResultDraft } from "@pod/llm-worker";
import { capNaively } from "@pod/test-harness/laws";
import { describe, expect, it } from "vitest";
import { type BatchOptions, ways } from "./support/through-both.js";
import { toolOf } from "./support/tool-of.js";

const ids = ["call-1", "call-2", "call-3"];
const calls: readonly ToolCall[] = ids.map((toolCallId) => ({ toolCallId, toolName: "Read", input: { path: "a" } }));
const [call] = calls as [ToolCall];
const long = "0123456789".repeat(100);

describe.each(ways)("through %s", (_way, runBatch) => {
  // Mutants seen to fail: a call that starts once its own interceptors are through; a list walked backwards.
  it("W2: asks about every call, in call order, interceptors in list order, before the first call starts", async () => {
    const log: string[] = [];
    const recorder = (place: number): Interceptor => ({
      async preToolCall({ toolCallId }) {
        await Promise.resolve();
        log.push(`asks ${place} ${toolCallId}`);
      },
    });
    const execute: Tool["execute"] = (_input, { toolCallId }) => {
      log.push(`runs ${toolCallId}`);
      return "done";
    };
    await runBatch(calls, { tools: [toolOf("Read", execute)], interceptors: [recorder(1), {}, recorder(3)] });
    expect(log).toEqual([
      ...ids.flatMap((id) => [`asks 1 ${id}`, `asks 3 ${id}`]),
      ...ids.map((toolCallId) => `runs ${toolCallId}`),
    ]);
  });

  it("W2: shows each post-tool interceptor the full, normalised draft as those before it left it", async () => {
    const drafts: ToolResultDraft[] = [];
    const append = (text: string): Interceptor => ({
      postToolCall(draft) {
        drafts.push(draft);
        return { type: "edit", content: `${draft.content}${text}` };
      },
    });
    const seen = await runBatch([call], {
      ...returning({ summary: "read", content: [long] }),
      interceptors: [append("+1"), {}, append("+3")],
      toolOutput: { defaultMaxBytes: 200, perTool: {} },
    });
    const full = JSON.stringify([long]);
    const draft = { toolCallId: "call-1", toolName: "Read", summary: "read", isError: false };
    expect(drafts).toEqual([
      { ...draft, content: full },
      { ...draft, content: `${full}+1` },
    ]);
    expect(drafts.every(Object.isFrozen)).toBe(true);
    expect(seen.results[0]?.content).toBe(capNaively(`${full}+1+3`, 200).text);
  });

  it.each<[string, BatchOptions, boolean]>([
    ["success", returning("done"), false],
    ["a thrown error", executing(() => Promise.reject(new Error("no"))), true],
    ["rejected input", executing(mustNotRun, { inputSchema: { type: "object", required: ["none"] } }), true],
    ["an unknown tool", { tools: [] }, true],
    ["a skipped call", intercepting(() => ({ type: "skip", reason: "no" })), true],
    ["an answered call", intercepting(() => ({ type: "answer", output: "known" })), false],
    ["an interceptor that failed before the call", intercepting(() => Promise.reject(new Error("no"))), true],
    ["a time-out", executing((_input, { signal }) => once(signal, "abort").then(() => "late"), { timeoutMs: 1 }), true],
  ])("W2: post-tool interceptors see %s", async (_what, options, isError) => {
    const drafts: ToolResultDraft[] = [];
    const observer: Interceptor = { postToolCall: (draft) => void drafts.push(draft) };
    const seen = await runBatch([call], { ...options, interceptors: [...(options.interceptors ?? []), observer] });
    expect(drafts).toEqual(seen.results);
    expect(drafts).toMatchObject([{ toolCallId: "call-1", isError }]);
  });

  it.each<[string, (caller: AbortController) => Interceptor, Tool["execute"]?]>([
    ["cancelled before it", (caller) => ({ preToolCall: () => caller.abort() })],
    ["cancelled during it", () => ({}), (_input, { signal }) => once(signal, "abort").then(() => "late")],
    ["aborted before it", () => ({ preToolCall: () => ({ type: "abort", reason: "no" }) })],
    ["withheld", () => ({ postToolCall: () => Promise.reject(new Error("no")) })],
    ["withheld by an abort", () => ({ postToolCall: () => ({ type: "abort", reason: "no" }) })],
  ])("W2: post-tool interceptors do not see a call that is %s", async (what, intercept, execute = () => "done") => {
    const shown: string[] = [];
    const caller = new AbortController();
    const observer: Interceptor = { postToolCall: ({ toolCallId }) => void shown.push(toolCallId) };
    const started: Tool["execute"] = (input, context) => {
      if (what === "cancelled during it") queueMicrotask(() => caller.abort());
      return execute(input, context);
    };
    const seen = await runBatch([call], {
      tools: [toolOf("Read", started)],
      interceptors: [intercept(caller), observer],
      signal: caller.signal,
    });
    expect(seen.results).toMatchObject([{ toolCallId: "call-1", isError: true }]);
    expect(shown).toEqual([]);
  });

  it("W2: an interceptor may be an object of a class, and a list that is changed later is not", async () => {
    class Guard implements Interceptor {
      readonly #reason = "guarded";
      preToolCall() {
        return { type: "skip", reason: this.#reason } as const;
      }
    }
    const interceptors: Interceptor[] = [new Guard()];
    interceptors.push({
      preToolCall: () => {
        interceptors.push({ preToolCall: () => ({ type: "abort", reason: "late" }) });
      },
    });
    const seen = await runBatch([call], { tools: [toolOf("Read", mustNotRun)], interceptors });
    expect(seen.results).toMatchObject([{ summary: "guarded", isError: true }]);
    expect(seen.abortReason).toBeUndefined();
  });
});

function returning(output: Awaited<ReturnType<Tool["execute"]>>): BatchOptions {
  return executing(() => output);
}

function executing(execute: Tool["execute"], more: Partial<Tool> = {}): BatchOptions {
  return { tools: [toolOf("Read", execute, more)] };
}

function intercepting(preToolCall: NonNullable<Interceptor["preToolCall"]>): BatchOptions {
  return { ...executing(mustNotRun), interceptors: [{ preToolCall }] };
}

function mustNotRun(): never {
  throw new Error("this call was not to be executed");
}
