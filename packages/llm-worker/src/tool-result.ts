import { capToolResult, matchTruncation, type OutputLimit, type Truncation } from "@pod/tool-output-cap";
import { copyText } from "./copy-text.js";
import { normaliseDraft } from "./draft.js";
import type { ToolResult, ToolResultDraft } from "./messages.js";

const made = new WeakSet<ToolResult>();

/**
 * The chokepoint: the one function that makes tool results, whatever the outcome of the call. It brings the texts into
 * their normal form, makes them well-formed, caps the content, and freezes. A record of an earlier cut is believed only
 * where it matches the content. No text of the result keeps a larger one in memory.
 */
export function makeToolResult(draft: ToolResultDraft & { truncation?: Truncation }, limit: OutputLimit): ToolResult {
  const { toolCallId, toolName, summary, summaryIsDerived, content, isError } = normaliseDraft(draft);
  // Matched here as well, since the cap leaves a content that fits alone, whatever its record says.
  const truncation = content === undefined ? undefined : matchTruncation(content, draft.truncation);
  const capped = capToolResult({ ...(content !== undefined && { content }), ...(truncation && { truncation }) }, limit);
  const result: ToolResult = {
    toolCallId: copyText(toolCallId),
    toolName: copyText(toolName),
    summary: copyText(summary),
    ...(summaryIsDerived && { summaryIsDerived }),
    ...(capped.content !== undefined && { content: copyText(capped.content) }),
    isError,
    ...(capped.truncation && { truncation: Object.freeze({ ...capped.truncation }) }),
  };
  made.add(result);
  return Object.freeze(result);
}

/** Whether a result came through the chokepoint. History takes no other. */
export function isFromChokepoint(result: ToolResult): boolean {
  return made.has(result);
}
