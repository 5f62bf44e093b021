import { createUsageCounter } from "@pod/token-counter";
import { DEFAULT_TOOL_OUTPUT_LIMITS, type TokenCounter, type ToolOutputLimits } from "@pod/tool-output-cap";
import { copyLimits } from "./copy-limits.js";
import { copyPart } from "./copy-part.js";
import { copyText } from "./copy-text.js";
import { errorToText } from "./error-text.js";
import { FaultList, shorten } from "./invalid-options-error.js";
import type { Message, ToolResult } from "./messages.js";
import { optionalText } from "./plain-json.js";
import { type CountedLimits, limitFor } from "./tool-limit.js";
import { isFromChokepoint, lowerToolResult, makeToolResult } from "./tool-result.js";
import { expectText, WrongFieldError } from "./wrong-field-error.js";

/** Messages and lists that came from here: nothing can have changed them since. */
const returned = new WeakSet<object>();

/** What capping a history needs beside the limits. */
export interface CapHistoryOptions {
  /** Counts where a limit is in tokens. */
  readonly counter?: TokenCounter;
}

/**
 * A history in which every tool result is within its tool's limit, for histories recorded without the cap or under higher
 * limits: a deeply frozen, plain, well-formed copy with the known fields and no others. What holds nothing is left out, since
 * providers refuse it. What it returned comes back as the very same objects under the same limits. Budgets of batches do
 * not apply: what a provider has accepted would change. Where a limit is in tokens, `counter` counts; without it, a usage counter
 * that has learned nothing.
 *
 * @throws InvalidOptionsError that names each message and each limit that is none.
 */
export function capHistory(
  history: readonly Message[],
  limits: ToolOutputLimits = DEFAULT_TOOL_OUTPUT_LIMITS,
  { counter = createUsageCounter() }: CapHistoryOptions = {},
): readonly Message[] {
  const faults = new FaultList();
  faults.expect(
    typeof counter?.count === "function",
    "counter",
    "an object with count(text), which returns a number",
    counter,
  );
  const checkedLimits = { ...copyLimits(limits, "limits", faults), counter };
  const capped = copyEach(history, "history", faults, (message, place) => {
    const copy = capMessage(message, place, checkedLimits, faults);
    if (copy !== undefined) returned.add(copy);
    return copy;
  });
  faults.throwIfAny();
  return capped;
}

function capMessage(message: Message, place: string, limits: CountedLimits, faults: FaultList): Message | undefined {
  const isOurs = returned.has(message);
  if (isOurs && message.role !== "tool") return message;
  const { role }: { readonly role: unknown } = message;
  switch (message.role) {
    case "user": {
      const text = copyText(expectText(message.text, "text"));
      return text.trim() === "" ? undefined : Object.freeze({ role: "user", text });
    }
    case "assistant": {
      const parts = copyEach(message.parts, `${place}.parts`, faults, copyPart);
      return parts.length === 0 ? undefined : Object.freeze({ role: "assistant", parts });
    }
    case "tool": {
      const results = copyEach(message.results, `${place}.results`, faults, (result) => capResult(result, limits));
      if (isOurs && results === message.results) return message;
      return results.length === 0 ? undefined : Object.freeze({ role: "tool", results });
    }
    default:
      throw new WrongFieldError("role", '"user", "assistant" or "tool"', role);
  }
}

// Each field is read once, and none but the known ones.
function capResult(foreign: ToolResult, limits: CountedLimits): ToolResult {
  if (isFromChokepoint(foreign)) return lowerToolResult(foreign, limitFor(limits, foreign.toolName));
  const { toolCallId, toolName, summary, summaryIsDerived, content, note, isError, truncation, noteTruncation } =
    foreign;
  const name = expectText(toolName, "toolName");
  const [ownContent, ownNote] = [optionalText(content), optionalText(note)];
  const draft = {
    toolCallId: expectText(toolCallId, "toolCallId"),
    toolName: name,
    // An empty text is an absent one.
    summary: optionalText(summary) ?? "",
    ...(summaryIsDerived === true && { summaryIsDerived }),
    ...(ownContent !== undefined && { content: ownContent }),
    ...(ownNote !== undefined && { note: ownNote }),
    isError: isError === true,
    ...(truncation && { truncation }),
    ...(noteTruncation && { noteTruncation }),
  };
  return makeToolResult(draft, limitFor(limits, name));
}

function copyEach<T>(
  items: readonly T[],
  place: string,
  faults: FaultList,
  copyItem: (item: T, place: string) => T | undefined,
): readonly T[] {
  faults.expect(Array.isArray(items), place, "an array", items);
  if (!Array.isArray(items)) return [];
  const copies: T[] = [];
  // By index: a foreign list may have methods of its own.
  for (let index = 0; index < items.length; index++) {
    const itemPlace = `${place}[${index}]`;
    try {
      const item = items[index];
      const isObject = typeof item === "object" && item !== null;
      faults.expect(isObject, itemPlace, "an object", item);
      if (!isObject) continue;
      const copy = copyItem(item, itemPlace);
      if (copy !== undefined) copies.push(copy);
    } catch (error) {
      // Whatever a foreign object does when it is read is a fault of that object.
      faults.add(
        error instanceof WrongFieldError
          ? `${itemPlace}.${error.message}`
          : `${itemPlace}: ${shorten(errorToText(error))}`,
      );
    }
  }
  const isUnchanged = returned.has(items) && copies.every((copy, index) => copy === items[index]);
  if (isUnchanged) return items;
  const list = Object.freeze(copies);
  returned.add(list);
  return list;
}
