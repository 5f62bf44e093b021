import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { answer, refuse, text, toolUse } from "@pod/test-harness";
import { describe, expect, it } from "vitest";
import { type ChannelEvent, executeTools, type WorkerEvent } from "../src/index.js";
import { makeTool, withWorker } from "./support/with-worker.js";

const SECRET = "the-secret-of-the-tool";
const types = [
  "turn-start",
  "turn-end",
  "request-start",
  "request-end",
  "text-delta",
  "tool-call",
  "tool-result",
  "tool-output-truncated",
  "interceptor-failed",
  "retry",
  "batch-recapped",
  "usage",
  "warning",
] as const satisfies readonly WorkerEvent["type"][];

describe("the event channel", () => {
  // Mutants seen to fail: deltas published; the whole tool result; `worker` left out; another prefix.
  it("W19: tells every event but deltas, in order, with the worker's name", () => {
    const secret = makeTool("Secret", () => ({ summary: SECRET, content: SECRET.repeat(1_000) }));
    return listening((heard) =>
      withWorker(
        {
          name: "session-7",
          tools: [secret],
          toolOutput: { defaultMaxBytes: 1_000, perTool: { Unknown: 500 } },
          interceptors: [{ postToolCall: ({ toolCallId }) => (toolCallId.endsWith("2") ? broken() : undefined) }],
          script: [
            refuse(529),
            answer(text(SECRET), toolUse("Secret", { SECRET }), toolUse("Secret", {})),
            answer(text(SECRET)),
          ],
        },
        async ({ worker, events }) => {
          await worker.run(SECRET);
          expect(heard.map(({ type }) => type)).toEqual(
            events.map(({ type }) => type).filter((type) => type !== "text-delta"),
          );
          expect(heard.every(({ worker }) => worker === "session-7")).toBe(true);
          expect(heard.every(Object.isFrozen)).toBe(true);
          expect(JSON.stringify(heard)).not.toContain(SECRET);
          expect(heard.filter(({ type }) => type === "tool-result")).toMatchObject([
            { toolName: "Secret", isError: false, receivedBytes: SECRET.length + 1 + 1_000 },
            { toolName: "Secret", isError: true },
          ]);
        },
      ),
    );
  });

  it("W19: tells of executeTools too, and numbers those that have no name", () =>
    listening(async (heard) => {
      const calls = [{ toolCallId: "a", toolName: "Nothing", input: {} }];
      await executeTools(calls, { tools: [] });
      await executeTools(calls, { tools: [] });
      const names = new Set(heard.map(({ worker }) => worker));
      expect(names.size).toBe(2);
      for (const name of names) expect(name).toMatch(/^worker-[1-9]\d*$/);
    }));
});

function broken(): never {
  throw new Error(SECRET);
}

type Heard = ChannelEvent & { readonly worker: string };

async function listening(act: (heard: readonly Heard[]) => Promise<void>): Promise<void> {
  const heard: Heard[] = [];
  const listener = (event: unknown) => void heard.push(event as Heard);
  for (const type of types) subscribe(`pod.llm-worker.${type}`, listener);
  try {
    await act(heard);
  } finally {
    for (const type of types) unsubscribe(`pod.llm-worker.${type}`, listener);
  }
}
