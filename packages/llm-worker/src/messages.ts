import type { Truncation } from "@pod/tool-output-cap";

/** What a model asks for: one run of one tool. `input` is what the model wrote, not yet checked. */
export interface ToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/**
 * What enters history for one call. `content` and `note` together are within the limit of the tool, markers included;
 * `truncation` and `noteTruncation` are there exactly where they were cut.
 */
export interface ToolResult {
  readonly toolCallId: string;
  /** The name that the model used. */
  readonly toolName: string;
  /** One or two lines, never cut by the cap: at most 2,048 UTF-8 bytes. */
  readonly summary: string;
  /** Set where the tool gave no summary: `summary` counts the lines and bytes of the full content. */
  readonly summaryIsDerived?: true;
  readonly content?: string;
  /** An interceptor's word to the model, after the content: at most 1,024 UTF-8 bytes, and a quarter of the limit. */
  readonly note?: string;
  readonly isError: boolean;
  readonly truncation?: Truncation;
  readonly noteTruncation?: Truncation;
}

/** A tool result before the cap: complete and normalised. Post-tool interceptors see this. */
export type ToolResultDraft = Omit<ToolResult, "truncation" | "noteTruncation">;

/** `providerMetadata` is the provider's own (a reasoning signature, say) and goes back to it in the next request. */
export type AssistantPart = (
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | ({ readonly type: "tool-call" } & ToolCall)
) & { readonly providerMetadata?: unknown };

/** One entry of history. A tool message holds one result for each call of the assistant message before it. */
export type Message =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly parts: readonly AssistantPart[] }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

export type AssistantMessage = Extract<Message, { readonly role: "assistant" }>;

/** The tool calls that a message asks for. */
export function callsOf(message: Message): readonly ToolCall[] {
  if (message.role !== "assistant") return [];
  return message.parts
    .filter((part) => part.type === "tool-call")
    .map(({ toolCallId, toolName, input }) => Object.freeze({ toolCallId, toolName, input }));
}

/** The results that a message holds. */
export function resultsOf(message: Message | undefined): readonly ToolResult[] {
  return message?.role === "tool" ? message.results : [];
}

/** The text that the model receives for a tool result. Never empty. */
export function renderToolResult(result: ToolResultDraft): string {
  return receivedTexts(result).join("\n");
}

/** What it is made of. */
export function receivedTexts({ summary, summaryIsDerived, content, note }: ToolResultDraft): readonly string[] {
  // A limit below the first character leaves nothing of a text.
  const hasContent = content !== undefined && content !== "";
  const texts = [hasContent && summaryIsDerived ? "" : summary, content ?? "", note ?? ""];
  return texts.filter((text) => text !== "");
}
