import { type Message, renderToolResult, type ToolResult } from "@pod/llm-worker";
import { resolveLimit, type ToolOutputLimits } from "@pod/tool-output-cap";
import { callsOf, resultsOf } from "../../src/messages.js";
import { findJsonFaults } from "./json-faults.js";
import { findHistoryFault } from "./render-messages.js";

/** What is wrong with a history that was made under these limits, one line a fault. */
export function findSessionFaults(history: readonly Message[], limits: ToolOutputLimits): readonly string[] {
  const refused = findHistoryFault(history);
  return [
    ...findJsonFaults(history, "history"),
    ...(refused === undefined ? [] : [`the provider refuses the history: ${refused}`]),
    ...history.flatMap((message, index) => findPairFaults(message, history[index + 1], `history[${index}]`)),
    ...history.flatMap((message, index) =>
      message.role === "tool" && history[index - 1]?.role !== "assistant"
        ? [`history[${index}]: no answer before`]
        : [],
    ),
    ...history.flatMap(resultsOf).flatMap((result) => findResultFaults(result, limits)),
    ...history.flatMap((message) => findBatchFaults(resultsOf(message), limits)),
    ...findSizeFaults(history, limits),
  ];
}

function findPairFaults(message: Message, next: Message | undefined, place: string): readonly string[] {
  const calls = callsOf(message).map(({ toolCallId, toolName }) => `${toolCallId} ${toolName}`);
  const results = resultsOf(next).map(({ toolCallId, toolName }) => `${toolCallId} ${toolName}`);
  if (message.role !== "assistant" || calls.join("\n") === results.join("\n")) return [];
  return [`${place}: the calls ${calls.join(", ")} have the results ${results.join(", ")}`];
}

function findResultFaults(result: ToolResult, limits: ToolOutputLimits): readonly string[] {
  const { toolName, toolCallId, summary, content, note, truncation } = result;
  const { maxBytes } = resolveLimit(limits, toolName);
  const bytes = [content, note].filter((text) => text !== undefined).join("\n");
  const faults: string[] = [];
  if (Buffer.byteLength(bytes) > maxBytes) faults.push(`${Buffer.byteLength(bytes)} bytes, its limit is ${maxBytes}`);
  if (Buffer.byteLength(summary) > MAX_SUMMARY_BYTES) faults.push("a summary that is too long");
  if (Buffer.byteLength(note ?? "") > Math.min(1_024, maxBytes / 4)) faults.push("a note that is too long");
  if (renderToolResult(result) === "") faults.push("an empty block");
  if (truncation && truncation.keptBytes + truncation.droppedBytes !== truncation.originalBytes) {
    faults.push("a record that does not add up");
  }
  return faults.map((fault) => `result ${JSON.stringify(toolCallId)} of ${toolName}: ${fault}`);
}

/** Within the budget; where the summaries alone exceed it, they are all that is sent, and none of them is long. */
function findBatchFaults(results: readonly ToolResult[], { turnMaxBytes }: ToolOutputLimits): readonly string[] {
  const bytes = results.reduce((total, result) => total + Buffer.byteLength(renderToolResult(result)), 0);
  if (turnMaxBytes === undefined || bytes <= turnMaxBytes) return [];
  const isLeast = results.every(
    ({ summary, content, note }) => !content && !note && (Buffer.byteLength(summary) <= 200 || summary.trim() === ""),
  );
  return isLeast ? [] : [`a batch of ${bytes} bytes, its budget is ${turnMaxBytes}`];
}

const MAX_SUMMARY_BYTES = 2_048;
/** Ids, names, figures, flags and keys of a result or a call, as JSON. */
const FRAME_BYTES = 1_024;
/** JSON makes so many of one byte at most. */
const JSON_FACTOR = 6;

/** What users and the model wrote, and for each call its frame and what it may have: nothing else is in a history. */
function findSizeFaults(history: readonly Message[], limits: ToolOutputLimits): readonly string[] {
  const written = history.filter(({ role }) => role !== "tool");
  const results = history.flatMap(resultsOf);
  const allowed = results.map(
    ({ toolName }) => FRAME_BYTES + JSON_FACTOR * (resolveLimit(limits, toolName).maxBytes + MAX_SUMMARY_BYTES),
  );
  const bound = allowed.reduce((total, bytes) => total + bytes, JSON.stringify(written).length + 64 * history.length);
  const length = JSON.stringify(history).length;
  return length <= bound ? [] : [`history is ${length} long as JSON, its bound is ${bound}`];
}
