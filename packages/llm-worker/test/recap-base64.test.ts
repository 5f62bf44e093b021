import { createWorker, LlmError, renderToolResult } from "@pod/llm-worker";
import { describe, expect, it } from "vitest";
import { toolOf } from "./support/tool-of.js";
import { eventsOfType, resultsIn } from "./support/with-worker.js";

const LIMIT_TOKENS = 30_000;

describe("a batch that is too large for the provider's limit", () => {
  // Mutant seen to fail: all of the batch counted as text, so that of base64 nothing was left.
  it.each([
    ["text", "some text. ".repeat(9_000)],
    ["base64", "QUJD".repeat(25_000)],
    ["base64 and text", `${"QUJD".repeat(20_000)}\n${"some text. ".repeat(2_000)}`],
    ["text in a character of three bytes", "あ".repeat(33_000)],
  ])("W15: keeps about half of what the limit leaves of %s", async (_what, content) => {
    const recappedBytes: number[] = [];
    const worker = createWorker({
      tools: [toolOf("Read", () => ({ summary: "read", content }))],
      toolOutput: { defaultMaxBytes: 200_000, perTool: {} },
      onEvent: (event) =>
        void eventsOfType([event], "batch-recapped").map(({ toBytes }) => recappedBytes.push(toBytes)),
      client: {
        async *stream({ messages }) {
          const bytes = resultsIn(messages).reduce((sum, each) => sum + Buffer.byteLength(renderToolResult(each)), 0);
          if (bytes / 1.8 > LIMIT_TOKENS) {
            throw new LlmError("limited", { kind: "status", status: 429, inputTokenLimit: LIMIT_TOKENS });
          }
          if (bytes > 0) yield { type: "text", text: "Done." };
          else yield { type: "tool-call", toolCallId: "one", toolName: "Read", input: {} };
          yield { type: "finish", usage: {} };
        },
      },
    });
    expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
    expect(recappedBytes).toEqual([expect.closeTo((LIMIT_TOKENS * 1.8) / 2, -2.5)]);
  });
});
