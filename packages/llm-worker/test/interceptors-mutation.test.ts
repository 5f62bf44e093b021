import type { ToolCall } from "@pod/llm-worker";
import { describe, expect, it } from "vitest";
import { ways } from "./support/through-both.js";
import { toolOf } from "./support/tool-of.js";

const calls: readonly ToolCall[] = ["call-1", "call-2", "call-3"].map((toolCallId) => ({
  toolCallId,
  toolName: "Read",
  input: { path: "a" },
}));

describe.each(ways)("through %s", (_way, runBatch) => {
  // Mutant seen to fail: an edited input that is kept as it was handed over.
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

  // Mutant seen to fail: hooks that are looked up at each call.
  it("W2: a hook that is taken away while the batch runs still redacts", async () => {
    class Redactor {
      readonly secret = "CANARY";
      postToolCall?({ summary }: { readonly summary: string }) {
        return { type: "edit", summary: summary.replace(this.secret, "***") } as const;
      }
    }
    const redactor = new Redactor();
    const seen = await runBatch(calls, {
      tools: [
        toolOf("Read", () => {
          Object.assign(redactor, { postToolCall: undefined });
          return "a CANARY";
        }),
      ],
      interceptors: [redactor],
    });
    expect(seen.results.map(({ summary }) => summary)).toEqual(["a ***", "a ***", "a ***"]);
    expect(seen.everything).not.toContain("CANARY");
  });

  // Mutant seen to fail: the part of the model's message is handed on, its type and metadata included.
  it("W2 W10: interceptors and observers get a tool call and nothing else", async () => {
    const shown: object[] = [];
    await runBatch(calls, {
      tools: [toolOf("Read", () => "done")],
      interceptors: [
        { preToolCall: (call) => void shown.push(call), postToolCall: (_draft, call) => void shown.push(call) },
      ],
    });
    expect(shown).toHaveLength(6);
    for (const call of shown) expect(Object.keys(call).toSorted()).toEqual(["input", "toolCallId", "toolName"]);
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
            if (toolCallId === "call-1")
              return counted(
                { type: "edit", call: counted({ toolCallId, toolName: "Read", input: {} }, "call") },
                "edit",
              );
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
});
