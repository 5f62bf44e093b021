import { type CappedText, capToolResult, type Truncation } from "@pod/tool-output-cap";
import { ceilingOf, countTokens, matchTruncation, prependContent } from "@pod/tool-output-cap/chokepoint";
import { copyText } from "./copy-text.js";
import { normaliseDraft, shortenSummary } from "./draft.js";
import type { ToolResult, ToolResultDraft } from "./messages.js";
import type { ToolLimit } from "./tool-limit.js";

/** No note is longer, in UTF-8 bytes. */
const MAX_NOTE_BYTES = 1_024;

/** What came through the chokepoint, and its limit in tokens. */
const made = new WeakMap<ToolResult, number | undefined>();

/** A draft, and the records of earlier cuts where there were any. */
export type CutDraft = ToolResultDraft & Pick<ToolResult, "truncation" | "noteTruncation">;

/**
 * The chokepoint: the one function that makes tool results, whatever the outcome of the call. It brings the texts into
 * their normal form, makes them well-formed, caps content and note, and freezes. A record of an earlier cut is believed
 * only where it matches its text. No text of the result keeps a larger one in memory. A budget may leave a result
 * 0 bytes: then it takes the texts away, and its records say so.
 */
export function makeToolResult(draft: CutDraft, limit: ToolLimit, reason?: Truncation["reason"]): ToolResult {
  const { toolCallId, toolName, summary, summaryIsDerived, content, note, isError } = normaliseDraft(draft);
  // Of both texts together: what a note leaves of the tokens may pay for more than it leaves of the bytes.
  const whole = { ...limit, maxBytes: ceilingOf(limit) };
  const noteLimit = noteLimitOf(whole);
  const cappedNote = capField(
    note ?? emptied(draft.note, draft.noteTruncation),
    draft.noteTruncation,
    noteLimit,
    reason,
  );
  const contentLimit = leave(whole, cappedNote, noteLimit);
  const cappedContent = capField(
    content ?? emptied(draft.content, draft.truncation),
    draft.truncation,
    contentLimit,
    reason,
  );
  // Also where the content is gone: a result that comes back from a log is as it was.
  const isDerived = summaryIsDerived ?? (content === undefined && cappedContent.truncation && draft.summaryIsDerived);
  const result: ToolResult = {
    toolCallId: copyText(toolCallId),
    toolName: copyText(toolName),
    summary: copyText(summary),
    ...(isDerived && { summaryIsDerived: isDerived }),
    ...(cappedContent.text !== undefined && { content: cappedContent.text }),
    ...(cappedNote.text !== undefined && { note: cappedNote.text }),
    isError,
    ...(cappedContent.truncation && { truncation: cappedContent.truncation }),
    ...(cappedNote.truncation && { noteTruncation: cappedNote.truncation }),
  };
  made.set(result, limit.maxTokens);
  return Object.freeze(result);
}

/** A result within a limit that may be lower than its own; the very same one where it is within it already. */
export function lowerToolResult(result: ToolResult, limit: ToolLimit, reason?: Truncation["reason"]): ToolResult {
  const kept = makeToolResult(result, uncounted(limit, made.get(result)), reason);
  if (kept.content === result.content && kept.note === result.note) return result;
  // What is cut now is another text, which nobody has counted.
  return makeToolResult(result, limit, reason);
}

/**
 * The result with a summary of over 200 bytes at the front of its content, where it is cut like any content. The first
 * line of it stays.
 */
export function moveLongSummary(result: ToolResult, limit: ToolLimit): ToolResult {
  const { summary, content, truncation } = result;
  const short = shortenSummary(summary);
  if (short === summary) return result;
  const moved = content === undefined && truncation === undefined ? summary : `${summary}\n`;
  return makeToolResult(
    {
      ...result,
      summary: short,
      ...prependContent(textsIn(content, truncation), moved, limit, limit),
    },
    limit,
  );
}

/** Whether a result came through the chokepoint. History takes no other. */
export function isFromChokepoint(result: ToolResult): boolean {
  return made.has(result);
}

/** In bytes alone, where the result was counted under a limit that was no higher: a counter that learns changes its mind. */
function uncounted({ maxTokens, ...limit }: ToolLimit, passedTokens: number | undefined): ToolLimit {
  if (maxTokens === undefined || (passedTokens !== undefined && passedTokens <= maxTokens)) return limit;
  return { ...limit, maxTokens };
}

function noteLimitOf({ maxTokens, ...limit }: ToolLimit): ToolLimit {
  const maxBytes = Math.min(MAX_NOTE_BYTES, Math.floor(limit.maxBytes / 4));
  return { ...limit, maxBytes, ...(maxTokens !== undefined && { maxTokens: Math.floor(maxTokens / 4) }) };
}

/**
 * What a note leaves of the limit, with the newline before it. One that was cut takes its whole part, used or not: else a lower
 * limit, which may cut it by a character more, could leave the content more than a higher one.
 */
function leave({ maxTokens, ...limit }: ToolLimit, { text, truncation }: CappedField, noteLimit: ToolLimit): ToolLimit {
  if (text === undefined) return { ...limit, ...(maxTokens !== undefined && { maxTokens }) };
  const noteBytes = truncation === undefined ? Buffer.byteLength(text) : noteLimit.maxBytes;
  const left = { ...limit, maxBytes: limit.maxBytes - noteBytes - 1 };
  if (maxTokens === undefined || limit.counter === undefined) return left;
  const { maxTokens: most = 0 } = noteLimit;
  // Never more than what it was let through for, should the counter have changed its mind since.
  const counted = truncation === undefined ? Math.min(most, countTokens(limit.counter, text, noteBytes)) : most;
  return { ...left, maxTokens: maxTokens - counted - 1 };
}

/** The empty text that a limit below its first character left of one: its record is still the truth. */
function emptied(text: string | undefined, record: Truncation | undefined): "" | undefined {
  return text === "" && matchTruncation(text, record) !== undefined ? text : undefined;
}

interface CappedField {
  readonly text?: string;
  readonly truncation?: Truncation;
}

function capField(
  text: string | undefined,
  foreignRecord: Truncation | undefined,
  limit: ToolLimit,
  reason: Truncation["reason"],
): CappedField {
  // Matched here as well, since the cap leaves a text that fits alone, whatever its record says.
  const record = foreignRecord && matchTruncation(text, foreignRecord);
  if (text === undefined) return record === undefined ? {} : { truncation: Object.freeze(record) };
  if (limit.maxBytes === 0 || limit.maxTokens === 0) return { truncation: removeAll(text, record, reason) };
  const capped = capText(text, record, limit);
  // Where nothing was cut now, the record of the earlier cut stays as it is.
  const isCutNow = capped.truncation !== record;
  const truncation = capped.truncation && {
    ...capped.truncation,
    ...(isCutNow && reason !== undefined && { reason }),
  };
  return {
    text: copyText(capped.text),
    ...(truncation && { truncation: Object.freeze(truncation) }),
  };
}

function capText(text: string, record: Truncation | undefined, limit: ToolLimit): CappedText {
  const { content = "", truncation } = capToolResult(textsIn(text, record), limit, limit);
  return { text: content, ...(truncation && { truncation }) };
}

function removeAll(text: string, record: Truncation | undefined, reason: Truncation["reason"]): Truncation {
  const originalBytes = record?.originalBytes ?? Buffer.byteLength(text);
  return Object.freeze({
    maxBytes: 0,
    originalBytes,
    keptBytes: 0,
    droppedBytes: originalBytes,
    ...(reason !== undefined && { reason }),
  });
}

function textsIn(
  content: string | undefined,
  truncation: Truncation | undefined,
): { content?: string; truncation?: Truncation } {
  return { ...(content !== undefined && { content }), ...(truncation && { truncation }) };
}
