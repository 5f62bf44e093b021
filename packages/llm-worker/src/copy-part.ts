import { copyText } from "./copy-text.js";
import type { AssistantPart } from "./messages.js";
import { toPlainJson } from "./plain-json.js";
import { copyCall } from "./tool-calls.js";
import { expectText, WrongFieldError } from "./wrong-field-error.js";

/**
 * A frozen, plain, well-formed copy of a part with its known fields. None where the part says nothing: providers refuse
 * to get a blank text back.
 *
 * @throws WrongFieldError
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
  const { type }: { readonly type: unknown } = part;
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
      throw new WrongFieldError("type", '"text", "reasoning" or "tool-call"', type);
  }
}
