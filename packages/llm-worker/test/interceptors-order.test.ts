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

  it("W2: an edit chooses the tool and its input, and changes neither the id nor the name that the model used", async () => {
    const executed: unknown[] = [];
    const shown: unknown[] = [];
    const seen = await runBatch([call], {
      tools: [
        toolOf("Read", mustNotRun),
        toolOf("Other", (input, { toolCallId }) => {
          executed.push({ input, toolCallId });
          return "done";
        }),
      ],
      interceptors: [
        {
          preToolCall: () => ({
            type: "edit",
            call: { toolCallId: "forged", toolName: "Other", input: { path: "b" } },
          }),
        },
        {
          preToolCall: (edited) => void shown.push(edited),
          postToolCall: (draft, edited) => void shown.push(draft, edited),
        },
      ],
    });
    const edited = { toolCallId: "call-1", toolName: "Other", input: { path: "b" } };
    const result = { toolCallId: "call-1", toolName: "Read", summary: "done", isError: false };
    expect(executed).toEqual([{ toolCallId: "call-1", input: { path: "b" } }]);
    expect(shown).toEqual([edited, result, edited]);
    expect(seen.results).toEqual([result]);
    expect(seen.received).toEqual([{ toolCallId: "call-1", text: "done", isError: false }]);
  });

  // Mutant seen to fail: the limit of one name alone.
  it.each([
    { Read: 100, Other: 300, expected: 100 },
    { Read: 300, Other: 100, expected: 100 },
    { Read: 200, Other: 200, expected: 200 },
    { Read: 400, expected: 400 },
    { Other: 400, expected: 400 },
    { expected: 500 },
  ])(
    "W2 W6: the limit of an edited name is the smaller of both: $Read, $Other, default 500",
    async ({ expected, ...perTool }) => {
      const seen = await runBatch([call], {
        tools: [toolOf("Read", mustNotRun), toolOf("Other", () => ({ summary: "read", content: long }))],
        interceptors: [{ preToolCall: () => ({ type: "edit", call: { ...call, toolName: "Other" } }) }],
        toolOutput: { defaultMaxBytes: 500, perTool },
      });
      expect(seen.results[0]?.content).toBe(capNaively(long, expected).text);
      expect(seen.results[0]?.truncation?.maxBytes).toBe(expected);
    },
  );

  it("W2: an edited name that no tool has is an unknown tool, and an edited input is checked", async () => {
    const edits: Record<string, ToolCall> = {
      "call-1": { ...call, toolName: "None" },
      "call-2": { ...call, toolName: "Strict", input: {} },
    };
    const strict = { type: "object", required: ["path"] };
    const seen = await runBatch(calls, {
      tools: [toolOf("Read", () => "done"), toolOf("Strict", mustNotRun, { inputSchema: strict })],
      interceptors: [
        {
          preToolCall: ({ toolCallId }) => {
            const edited = edits[toolCallId];
            return edited && { type: "edit", call: edited };
          },
        },
      ],
    });
    expect(seen.results.map(({ isError }) => isError)).toEqual([true, true, false]);
    expect(seen.received[0]?.text).toMatch(/unknown tool "None"/);
    expect(seen.received[1]?.text).toMatch(/rejected.*\n.*path/);
  });

  it("W2: a skip is an error with the reason as its text, an answer is not, and nobody else is asked", async () => {
    const asked: string[] = [];
    const seen = await runBatch(calls, {
      tools: [toolOf("Read", () => "done")],
      interceptors: [
        {
          preToolCall({ toolCallId }) {
            if (toolCallId === "call-1") return { type: "skip", reason: "not allowed" };
            if (toolCallId === "call-2") return { type: "answer", output: { summary: "known", content: { a: 1 } } };
            return undefined;
          },
        },
        { preToolCall: ({ toolCallId }) => void asked.push(toolCallId) },
      ],
    });
    expect(seen.results).toEqual([
      { toolCallId: "call-1", toolName: "Read", summary: "not allowed", isError: true },
      { toolCallId: "call-2", toolName: "Read", summary: "known", content: '{"a":1}', isError: false },
      { toolCallId: "call-3", toolName: "Read", summary: "done", isError: false },
    ]);
    expect(asked).toEqual(["call-3"]);
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

  // Mutants seen to fail: an edited input, or an answered content, that is kept as it was handed over.
  it("W2 W8: what an interceptor or a tool does later to what it handed over changes nothing", async () => {
    const handedOver: object[] = [];
    const hand = <const T extends object>(object: T): T => {
      handedOver.push(object);
      return object;
    };
    const meddle = () => {
      for (const object of handedOver) for (const key of Object.keys(object)) Reflect.set(object, key, "CANARY");
    };
    const received: unknown[] = [];
    const seen = await runBatch(calls, {
      tools: [
        toolOf("Read", () => hand({ summary: "read", content: hand({ text: "kept" }) })),
        toolOf("Other", (input) => {
          received.push(structuredClone(input));
          hand(Object(input));
          return hand({ summary: "other", content: hand(["kept"]) });
        }),
      ],
      interceptors: [
        {
          preToolCall({ toolCallId }) {
            if (toolCallId === "call-3") return undefined;
            if (toolCallId === "call-2") {
              return hand({ type: "answer", output: hand({ summary: "answered", content: hand(["kept"]) }) });
            }
            const input = hand({ path: "b", list: hand(["b"]) });
            return hand({ type: "edit", call: hand({ toolCallId, toolName: "Other", input }) });
          },
          postToolCall: ({ toolCallId }) =>
            toolCallId === "call-3" ? hand({ type: "edit", content: "edited", isError: true }) : undefined,
        },
        { preToolCall: meddle, postToolCall: meddle },
      ],
    });
    meddle();
    expect(received).toEqual([{ path: "b", list: ["b"] }]);
    expect(seen.results).toEqual([
      { toolCallId: "call-1", toolName: "Read", summary: "other", content: '["kept"]', isError: false },
      { toolCallId: "call-2", toolName: "Read", summary: "answered", content: '["kept"]', isError: false },
      { toolCallId: "call-3", toolName: "Read", summary: "read", content: "edited", isError: true },
    ]);
    expect(handedOver.length).toBeGreaterThan(9);
    expect(seen.everything).not.toContain("CANARY");
  });

  it("W8: reads each property of what an interceptor returns once", async () => {
    const reads: string[] = [];
    const counted = <const T extends object>(object: T, name: string): T =>
      new Proxy(object, {
        get(target, key) {
          reads.push(`${name}.${String(key)}`);
          return Reflect.get(target, key);
        },
      });
    await runBatch(calls, {
      tools: [toolOf("Read", () => "done")],
      interceptors: [
        {
          preToolCall({ toolCallId }) {
            if (toolCallId === "call-1") return counted({ type: "edit", call: counted({ ...call }, "call") }, "edit");
            if (toolCallId === "call-2") return counted({ type: "skip", reason: "no" }, "skip");
            return counted({ type: "answer", output: counted({ summary: "known" }, "output") }, "answer");
          },
          postToolCall: () => counted({ type: "edit", summary: "edited" }, "post"),
        },
      ],
    });
    // A post-tool interceptor was asked three times; `then` is the engine's own look.
    const own = reads.filter((read) => !/^post\.|\.then$/.test(read));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((read, index) => own.indexOf(read) !== index)).toEqual([]);
    expect(reads.filter((read) => read === "post.summary")).toHaveLength(3);
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
