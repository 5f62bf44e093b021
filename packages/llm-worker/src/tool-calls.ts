import { CallIds } from "./call-ids.js";
import { copyText } from "./copy-text.js";
import type { FaultList } from "./invalid-options-error.js";
import type { ToolCall } from "./messages.js";
import { toPlainJson } from "./plain-json.js";

/** Adds what is no tool call to `faults`. A missing id is not a fault: the call is given one. */
export function checkCalls(calls: readonly ToolCall[], faults: FaultList): void {
  faults.expect(Array.isArray(calls), "calls", "an array of tool calls", calls);
  if (!Array.isArray(calls)) return;
  for (const [index, call] of calls.entries()) {
    faults.expect(typeof call?.toolName === "string", `calls[${index}].toolName`, "a string", call?.toolName);
  }
}

/** Frozen, plain copies, each under an id of its own. */
export function copyCalls(calls: readonly ToolCall[]): readonly ToolCall[] {
  const callIds = new CallIds();
  return calls.map((call) => callIds.claim(copyCall(call)));
}

/** A frozen, plain copy. A missing id becomes an empty one. */
export function copyCall({ toolCallId, toolName, input }: ToolCall): ToolCall {
  const id = typeof toolCallId === "string" ? copyText(toolCallId) : "";
  return Object.freeze({ toolCallId: id, toolName: copyText(toolName), input: toPlainJson(input) });
}
