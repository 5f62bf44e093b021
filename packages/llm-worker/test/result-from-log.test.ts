import { describe, expect, it } from "vitest";
import { capHistory, type Message } from "../src/index.js";
import { type CutDraft, makeToolResult } from "../src/tool-result.js";

const call = { toolCallId: "a", toolName: "Read", isError: false };
const derived = { ...call, summary: "1 lines, 900 bytes", summaryIsDerived: true, content: "語".repeat(300) } as const;
const noted = { ...call, summary: "found", note: "a word to the model" };

describe("a result that comes back from a log", () => {
  // Mutants seen to fail: the flag goes with the content; an empty text counts as absent; only a budget removes.
  it.each<[string, CutDraft, number]>([
    ["whose content and summary are its own", { ...call, summary: "found", content: "x".repeat(900) }, 200],
    ["whose summary is derived", derived, 200],
    ["whose limit left nothing of a derived content", derived, 2],
    ["whose limit left nothing of a content", { ...derived, summary: "found" }, 2],
    ["whose limit leaves a note no room", noted, 3],
    ["whose limit leaves a note no character", { ...noted, note: "語" }, 8],
  ])("W1 W9: is what it was: one %s", (_name, draft, maxBytes) => {
    const made = makeToolResult(draft, { maxBytes });
    expect(afterLog(made, maxBytes)).toEqual(made);
    const removed = makeToolResult(made, { maxBytes: 0 }, "turn-budget");
    expect(afterLog(removed, maxBytes)).toEqual(removed);
  });
});

function afterLog(result: object, defaultMaxBytes: number): unknown {
  const history: Message[] = JSON.parse(JSON.stringify([{ role: "tool", results: [result] }]));
  const [message] = capHistory(history, { defaultMaxBytes, perTool: {} });
  return message?.role === "tool" ? message.results[0] : undefined;
}
