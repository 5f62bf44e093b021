import type { Truncation } from "@pod/tool-output-cap";

/** What a model asks for: one run of one tool. `input` is what the model wrote, not yet checked. */
export interface ToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/**
 * What enters history for one call. `content` is within the limit of the tool, marker included;
 * `truncation` is there exactly where it was cut.
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
  readonly isError: boolean;
  readonly truncation?: Truncation;
}

/** A tool result before the cap: complete and normalised. Post-tool interceptors see this. */
export type ToolResultDraft = Omit<ToolResult, "truncation">;

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

/** The text that the model receives for a tool result. Never empty. */
export function renderToolResult(result: ToolResultDraft): string {
  // A limit below the first character leaves nothing of a content.
  if (!result.content) return result.summary;
  return result.summaryIsDerived ? result.content : `${result.summary}\n${result.content}`;
}
