import { resolveLimit, type ToolOutputLimits } from "@pod/tool-output-cap";
import { capHistory } from "./cap-history.js";
import { draftError } from "./draft.js";
import { callsOf } from "./history.js";
import { type FaultList, InvalidOptionsError } from "./invalid-options-error.js";
import type { Message, ToolCall, ToolResult } from "./messages.js";
import { makeToolResult } from "./tool-result.js";

/**
 * A history that was handed in, fit to go on with: capped, and every call of it with its result. A call without one may
 * have run or not, so it is closed as such and not run again. What providers refuse and cannot be mended is a fault.
 */
export function adoptHistory(
  history: readonly Message[],
  limits: ToolOutputLimits,
  faults: FaultList,
): readonly Message[] {
  const messages = joinToolMessages(tryCapHistory(history, limits, faults));
  const knownIds = new Set<string>();
  return messages.flatMap((message, index) => {
    if (message.role === "tool") {
      checkResults(message.results, callsBefore(messages, index), faults);
      return [];
    }
    const calls = callsOf(message);
    if (calls.length === 0) return [message];
    for (const { toolCallId } of calls) claimOrFault(toolCallId, knownIds, faults);
    return [message, resultsOf(calls, messages[index + 1], limits)];
  });
}

function tryCapHistory(history: readonly Message[], limits: ToolOutputLimits, faults: FaultList): readonly Message[] {
  try {
    return capHistory(history, limits);
  } catch (error) {
    if (!(error instanceof InvalidOptionsError)) throw error;
    for (const fault of error.faults) faults.add(fault);
    return [];
  }
}

// Some record one message a result.
function joinToolMessages(messages: readonly Message[]): readonly Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role !== "tool" || last?.role !== "tool") joined.push(message);
    else joined[joined.length - 1] = { role: "tool", results: [...last.results, ...message.results] };
  }
  return joined;
}

function callsBefore(messages: readonly Message[], index: number): readonly ToolCall[] {
  const before = messages[index - 1];
  return before === undefined ? [] : callsOf(before);
}

function checkResults(results: readonly ToolResult[], calls: readonly ToolCall[], faults: FaultList): void {
  const openIds = new Set(calls.map(({ toolCallId }) => toolCallId));
  for (const { toolCallId } of results) {
    faults.expect(openIds.delete(toolCallId), "history", "one result per call, right after it", { toolCallId });
  }
}

function claimOrFault(toolCallId: string, knownIds: Set<string>, faults: FaultList): void {
  faults.expect(toolCallId !== "" && !knownIds.has(toolCallId), "history", "call ids that differ", { toolCallId });
  knownIds.add(toolCallId);
}

function resultsOf(calls: readonly ToolCall[], next: Message | undefined, limits: ToolOutputLimits): Message {
  const given = next?.role === "tool" ? next.results : [];
  const results = calls.map(
    (call) => given.find(({ toolCallId }) => toolCallId === call.toolCallId) ?? closeCall(call, limits),
  );
  return Object.freeze({ role: "tool", results: Object.freeze(results) });
}

function closeCall(call: ToolCall, limits: ToolOutputLimits): ToolResult {
  const draft = draftError(call, "outcome unknown: the run ended before this call had a result");
  return makeToolResult(draft, resolveLimit(limits, call.toolName));
}
