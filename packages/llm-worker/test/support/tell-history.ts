import type { Message, SessionEntry, ToolResult } from "@pod/llm-worker";
import { callsOf } from "../../src/messages.js";

/** What a log tells of a session, read the simplest way: the oracle of history. What is open at the end is left out. */
export function tellHistory(lines: readonly string[]): readonly Message[] {
  const messages: Message[] = [];
  let answer: Message | undefined;
  let finished: ToolResult[] = [];
  for (const entry of lines.map((line): SessionEntry => JSON.parse(line))) {
    if (entry.type === "message") {
      answer = callsOf(entry.message).length > 0 ? entry.message : undefined;
      finished = [];
      if (answer === undefined) messages.push(entry.message);
    }
    if (entry.type === "call-finished") finished.push(entry.result);
    if (entry.type === "batch-finished" && answer !== undefined) {
      const calls = callsOf(answer);
      const results = calls.map(({ toolCallId }) => finished.findLast((result) => result.toolCallId === toolCallId));
      messages.push(
        answer,
        lower(
          results.filter((result) => result !== undefined),
          entry.lowered,
        ),
      );
    }
    if (entry.type === "batch-recapped") {
      const index = messages.findLastIndex(({ role }) => role === "tool");
      const newest = messages[index];
      if (newest?.role === "tool") messages[index] = lower(newest.results, entry.lowered);
    }
  }
  return messages;
}

function lower(results: readonly ToolResult[], lowered: readonly ToolResult[]): Message {
  return {
    role: "tool",
    results: results.map((result) => lowered.find(({ toolCallId }) => toolCallId === result.toolCallId) ?? result),
  };
}
