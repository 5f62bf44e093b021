import type { LlmRequest } from "../llm-client.js";
import { type AssistantPart, type Message, renderToolResult, type ToolResult } from "../messages.js";
import type { JsonSchema } from "../tool.js";
import { createSentIds } from "./create-sent-ids.js";
import { fieldsOf } from "./fields-of.js";
import { toSentName } from "./to-sent-name.js";

export type PromptMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: PromptText[] }
  | { role: "assistant"; content: PromptPart[] }
  | { role: "tool"; content: PromptResult[] };

type PromptText = { type: "text"; text: string };

type PromptPart = (
  | PromptText
  | { type: "reasoning"; text: string }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: object }
) & { providerOptions?: ProviderOptions };

interface PromptResult {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text" | "error-text"; value: string };
}

/** What a provider said of a part, as it wants it back: an object of JSON for each provider's name. */
type ProviderOptions = Record<string, Record<string, never>>;

export interface PromptTool {
  type: "function";
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

/** Instructions and history in the shape of `LanguageModelV3Prompt`. */
export function toPrompt({ instructions, messages }: LlmRequest): PromptMessage[] {
  const toSentId = createSentIds();
  const prompt = messages.map((message) => toMessage(message, toSentId)).filter(({ content }) => content.length > 0);
  return instructions ? [{ role: "system", content: instructions }, ...prompt] : prompt;
}

/** The tools of a request in the shape of `LanguageModelV3FunctionTool`. */
export function toTools({ tools }: LlmRequest): PromptTool[] {
  return tools.map(({ name, description, inputSchema }) => ({ type: "function", name, description, inputSchema }));
}

type ToSentId = ReturnType<typeof createSentIds>;

function toMessage(message: Message, toSentId: ToSentId): PromptMessage {
  switch (message.role) {
    case "user":
      return { role: "user", content: [{ type: "text", text: message.text }] };
    case "assistant":
      return { role: "assistant", content: toParts(message.parts, toSentId) };
    case "tool":
      return { role: "tool", content: message.results.map((result) => toResult(result, toSentId)) };
  }
}

// A model that was cut off in its thoughts leaves one without a signature. Providers leave that out, and then refuse the
// message for being empty.
function toParts(parts: readonly AssistantPart[], toSentId: ToSentId): PromptPart[] {
  const sendable = parts.filter(isSendable);
  const isBareThought = sendable.every((part) => part.type === "reasoning" && part.providerMetadata === undefined);
  return isBareThought ? [] : sendable.map((part) => toPart(part, toSentId));
}

// Models write blank blocks (newlines before a call), and their own providers refuse to read them again. Sealed
// reasoning has no text of its own. A worker's history has no such blocks; one from elsewhere may.
function isSendable(part: AssistantPart): boolean {
  const isBlank = part.type !== "tool-call" && part.text.trim() === "";
  return !isBlank || (part.type === "reasoning" && part.providerMetadata !== undefined);
}

function toPart(part: AssistantPart, toSentId: ToSentId): PromptPart {
  const providerOptions = toProviderOptions(part.providerMetadata);
  const back = providerOptions === undefined ? {} : { providerOptions };
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, ...back };
    case "reasoning":
      return { type: "reasoning", text: part.text, ...back };
    case "tool-call": {
      const call = { toolCallId: toSentId(part.toolCallId), toolName: toSentName(part.toolName) };
      return { type: "tool-call", ...call, input: toInput(part.input), ...back };
    }
  }
}

function toProviderOptions(metadata: unknown): ProviderOptions | undefined {
  return metadata === undefined ? undefined : (fieldsOf(metadata) as ProviderOptions);
}

/**
 * Providers refuse a history whose tool call has an input that is no object, and would refuse it for ever. So broken
 * input, which history keeps as the model wrote it, is sent as `{ "invalid": input }`.
 */
function toInput(input: unknown): object {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : { invalid: input ?? null };
}

function toResult(result: ToolResult, toSentId: ToSentId): PromptResult {
  const call = { toolCallId: toSentId(result.toolCallId), toolName: toSentName(result.toolName) };
  const output = { type: result.isError ? "error-text" : "text", value: renderToolResult(result) } as const;
  return { type: "tool-result", ...call, output };
}
