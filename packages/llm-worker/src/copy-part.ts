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
  if (copy === undefined) return undefined;
  const { providerMetadata } = part;
  return Object.freeze(
    providerMetadata === undefined ? copy : { ...copy, providerMetadata: toPlainJson(providerMetadata) },
  );
}

function copyFields(part: AssistantPart): AssistantPart | undefined {
  switch (part.type) {
    case "text":
      return isBlank(readText(part.text)) ? undefined : { type: "text", text: copyText(part.text) };
    case "reasoning":
      // A redacted or signed thought may have no text of its own.
      if (isBlank(readText(part.text)) && part.providerMetadata === undefined) return undefined;
      return { type: "reasoning", text: copyText(part.text) };
    case "tool-call":
      if (typeof part.toolName !== "string") throw new TypeError("toolName: expected a string");
      return { type: "tool-call", ...copyCall(part) };
    default:
      throw new TypeError('type: expected "text", "reasoning" or "tool-call"');
  }
}

function readText(text: unknown): string {
  if (typeof text !== "string") throw new TypeError("text: expected a string");
  return text;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
