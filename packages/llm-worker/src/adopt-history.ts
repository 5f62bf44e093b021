import { resolveLimit, type ToolOutputLimits } from "@pod/tool-output-cap";
import { CallIds } from "./call-ids.js";
import { capHistory } from "./cap-history.js";
import { draftError } from "./draft.js";
import { callsOf } from "./history.js";
import { type FaultList, InvalidOptionsError } from "./invalid-options-error.js";
import type { AssistantPart, Message, ToolCall, ToolResult } from "./messages.js";
import { makeToolResult } from "./tool-result.js";

/**
 * A history that was handed in, fit to go on with: capped, and every call of it with its result, under an id that no
 * other call has. A call without a result may have run or not, so it is closed as such and not run again. A result
 * without its call is a fault.
 */
export function adoptHistory(
  history: readonly Message[],
  limits: ToolOutputLimits,
  faults: FaultList,
): readonly Message[] {
  const messages = joinToolMessages(tryCapHistory(history, limits, faults));
  const callIds = new CallIds();
  return messages.flatMap((message, index) => {
    if (message.role === "user") return [message];
    if (message.role === "assistant") {
      return adoptCalls(message.parts, resultsIn(messages[index + 1]), callIds, limits, faults);
    }
    const before = messages[index - 1];
    if (before === undefined || callsOf(before).length === 0) addOrphans(message.results, faults);
    return [];
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

function resultsIn(message: Message | undefined): readonly ToolResult[] {
  return message?.role === "tool" ? message.results : [];
}

/** An assistant message, and the tool message for its calls where it has any. */
function adoptCalls(
  parts: readonly AssistantPart[],
  given: readonly ToolResult[],
  callIds: CallIds,
  limits: ToolOutputLimits,
  faults: FaultList,
): readonly Message[] {
  const left = [...given];
  const adopted = parts.map((part) => {
    if (part.type !== "tool-call") return { part, results: [] };
    const at = left.findIndex(({ toolCallId }) => toolCallId === part.toolCallId);
    const [result] = at === -1 ? [] : left.splice(at, 1);
    const call = callIds.claim(part);
    return { part: call, results: [settleCall(call, result, limits)] };
  });
  const message = Object.freeze({ role: "assistant", parts: Object.freeze(adopted.map(({ part }) => part)) });
  const results = Object.freeze(adopted.flatMap(({ results }) => results));
  if (results.length === 0) return [message];
  addOrphans(left, faults);
  return [message, Object.freeze({ role: "tool", results })];
}

/** The result under the id and the name of its call, whose limit it has; without one, a result that says so. */
function settleCall(call: ToolCall, result: ToolResult | undefined, limits: ToolOutputLimits): ToolResult {
  const draft = result ?? draftError(call, "outcome unknown: the run ended before this call had a result");
  const { toolCallId, toolName } = call;
  return makeToolResult({ ...draft, toolCallId, toolName }, resolveLimit(limits, toolName));
}

function addOrphans(results: readonly ToolResult[], faults: FaultList): void {
  for (const { toolCallId } of results) {
    faults.expect(false, "history", "each result right after its call, once", toolCallId);
  }
}
