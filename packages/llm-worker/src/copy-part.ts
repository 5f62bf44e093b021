import { copyText } from "./copy-text.js";
import type { AssistantPart } from "./messages.js";
import { toPlainJson } from "./plain-json.js";
import { copyCall } from "./tool-calls.js";

/**
 * A frozen, plain, well-formed copy of a part with its known fields. None where the part says nothing: providers refuse
 * to get a blank text back.
 *
 * @throws TypeError that says what is wrong with the part.
 */
export function copyPart(part: AssistantPart): AssistantPart | undefined {
  const copy = copyFields(part);
  const { providerMetadata } = part;
  const isBlank = copy.type !== "tool-call" && copy.text.trim() === "";
  // A redacted or signed thought may have no text of its own.
  const saysNothing = isBlank && (copy.type === "text" || providerMetadata === undefined);
  if (saysNothing) return undefined;
  return Object.freeze(
    providerMetadata === undefined ? copy : { ...copy, providerMetadata: toPlainJson(providerMetadata) },
  );
}

function copyFields(part: AssistantPart): AssistantPart {
  switch (part.type) {
    case "text":
      return { type: "text", text: copyText(expectText(part.text, "text")) };
    case "reasoning":
      return { type: "reasoning", text: copyText(expectText(part.text, "text")) };
    case "tool-call": {
      const { toolCallId, toolName, input } = part;
      return { type: "tool-call", ...copyCall({ toolCallId, toolName: expectText(toolName, "toolName"), input }) };
    }
    default:
      throw new TypeError('type: expected "text", "reasoning" or "tool-call"');
  }
}

function expectText(value: unknown, field: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${field}: expected a string`);
}
