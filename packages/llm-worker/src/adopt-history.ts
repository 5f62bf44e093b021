import type { OpenAnswer } from "./batch.js";
import { CallIds } from "./call-ids.js";
import { capHistory } from "./cap-history.js";
import { draftError, OUTCOME_UNKNOWN } from "./draft.js";
import { type FaultList, InvalidOptionsError } from "./invalid-options-error.js";
import {
  type AssistantMessage,
  type AssistantPart,
  callsOf,
  type Message,
  resultsOf,
  type ToolCall,
  type ToolResult,
} from "./messages.js";
import { type CountedLimits, limitFor } from "./tool-limit.js";
import { makeToolResult } from "./tool-result.js";

/** What is known of the last batch of a history that was handed in. */
export interface LastBatch {
  /** Whether it may go on, by those of its calls that have no result. */
  readonly staysOpen: (unfinished: readonly ToolCall[]) => boolean;
  /** Whether a call that has no result may have run. */
  readonly hadStarted: (call: ToolCall) => boolean;
}

/** A history fit to go on with. */
export interface AdoptedHistory {
  readonly messages: readonly Message[];
  readonly open?: OpenAnswer;
}

/**
 * A history that was handed in, fit to go on with: capped, and every call of it with its result, under an id that no
 * other call has. A call without a result may have run or not, so it is closed as such, unless it is of the last batch and
 * that stays open. A result without its call is a fault.
 */
export function adoptHistory(
  history: readonly Message[],
  limits: CountedLimits,
  lastBatch: LastBatch,
  faults: FaultList,
): AdoptedHistory {
  const messages = joinToolMessages(tryCapHistory(history, limits, faults));
  const callIds = new CallIds();
  const adopted: Message[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "user") adopted.push(message);
    if (message.role === "tool" && callsBefore(messages, index).length === 0) addOrphans(message.results, faults);
    if (message.role !== "assistant") continue;
    const given = resultsOf(messages[index + 1]);
    const answer = matchResults(message.parts, given, callIds, limits, faults);
    const isLast = index + (given.length > 0 ? 2 : 1) === messages.length;
    if (isLast && answer.calls.length > 0 && lastBatch.staysOpen(answer.calls.filter(isUnfinished(answer)))) {
      return { messages: Object.freeze(adopted), open: toOpenAnswer(answer, lastBatch) };
    }
    adopted.push(answer.message);
    if (answer.calls.length > 0) adopted.push(closeAnswer(answer, limits));
  }
  return { messages: Object.freeze(adopted) };
}

function tryCapHistory(history: readonly Message[], limits: CountedLimits, faults: FaultList): readonly Message[] {
  try {
    return capHistory(history, limits, { counter: limits.counter });
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

interface Answer {
  readonly message: AssistantMessage;
  readonly calls: readonly ToolCall[];
  /** By call id, as the calls have it now. */
  readonly results: ReadonlyMap<string, ToolResult>;
}

/** An answer under call ids of its own, each result under the id and the name of its call, whose limit it has. */
function matchResults(
  parts: readonly AssistantPart[],
  given: readonly ToolResult[],
  callIds: CallIds,
  limits: CountedLimits,
  faults: FaultList,
): Answer {
  const left = [...given];
  const results = new Map<string, ToolResult>();
  const claimed = parts.map((part) => {
    if (part.type !== "tool-call") return part;
    const at = left.findIndex(({ toolCallId }) => toolCallId === part.toolCallId);
    const [result] = at === -1 ? [] : left.splice(at, 1);
    const call = callIds.claim(part);
    if (result !== undefined) {
      const { toolCallId, toolName } = call;
      const own = { ...result, toolCallId, toolName };
      results.set(toolCallId, isOf(call, result) ? result : makeToolResult(own, limitFor(limits, toolName)));
    }
    return call;
  });
  const message: AssistantMessage = Object.freeze({ role: "assistant", parts: Object.freeze(claimed) });
  const calls = callsOf(message);
  if (calls.length > 0) addOrphans(left, faults);
  return { message, calls, results };
}

/** The very same result where it is right already: what came through the cap once stays as it is. */
function isOf({ toolCallId, toolName }: ToolCall, result: ToolResult): boolean {
  return result.toolCallId === toolCallId && result.toolName === toolName;
}

function isUnfinished({ results }: Answer): (call: ToolCall) => boolean {
  return ({ toolCallId }) => !results.has(toolCallId);
}

function toOpenAnswer({ message, calls, results }: Answer, { hadStarted }: LastBatch): OpenAnswer {
  const started = new Set(calls.filter(hadStarted).map(({ toolCallId }) => toolCallId));
  return { message, batch: { calls, finished: results, started } };
}

function closeAnswer({ calls, results }: Answer, limits: CountedLimits): Message {
  const closed = calls.map(
    (call) =>
      results.get(call.toolCallId) ??
      makeToolResult(draftError(call, OUTCOME_UNKNOWN), limitFor(limits, call.toolName)),
  );
  return Object.freeze({ role: "tool", results: Object.freeze(closed) });
}

function addOrphans(results: readonly ToolResult[], faults: FaultList): void {
  for (const { toolCallId } of results) {
    faults.expect(false, "history", "each result right after its call, once", toolCallId);
  }
}
