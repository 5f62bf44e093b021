import { errorToText } from "./error-text.js";
import type { ToolCall, ToolResultDraft } from "./messages.js";
import { contentToText, optionalText } from "./plain-json.js";

/** A plain text of at most so many UTF-8 bytes is its own summary. */
const SHORT_TEXT_BYTES = 200;
/** A longer summary is moved into content. */
const MAX_SUMMARY_BYTES = 2_048;
const MAX_CHARACTER_BYTES = 4;
const NO_OUTPUT = "(no output)";

/** The text of the result of a call that may have run, or not. */
export const OUTCOME_UNKNOWN = "outcome unknown: the run ended before this call had a result";

type CallIdentity = Pick<ToolCall, "toolCallId" | "toolName">;
type DraftTexts = Pick<ToolResultDraft, "summary" | "summaryIsDerived" | "content">;
type DraftNote = Pick<ToolResultDraft, "note">;

/** The draft of an outcome that is a text: a refusal, a time-out, the reason of a skipped call. */
export function draftError(call: CallIdentity, text: string): ToolResultDraft {
  return { ...identify(call), ...textsOf(text), isError: true };
}

/** The draft of what a tool returned, or an interceptor answered, whatever it is. Never throws. */
export function draftOutput(call: CallIdentity, output: unknown): ToolResultDraft {
  try {
    return { ...identify(call), ...textsOfOutput(output), isError: false };
  } catch (error) {
    return draftError(call, errorToText(error));
  }
}

/** What an interceptor puts in place of a draft's own. */
export interface DraftEdit {
  readonly summary?: string;
  readonly content?: string;
  readonly note?: string;
  readonly isError?: boolean;
}

/**
 * The draft with the texts of an edit in place of its own. An empty content or note takes it away; a derived summary is
 * derived again, also where the edit hands it back as it was.
 */
export function editDraft(draft: ToolResultDraft, edit: DraftEdit): ToolResultDraft {
  const { isError = draft.isError, note = draft.note } = edit;
  return { ...identify(draft), ...editTexts(draft, edit), ...noteOf({ note }), isError };
}

/** Brings the texts of a draft into their normal form; a draft that has it comes out equal. */
export function normaliseDraft(draft: ToolResultDraft): ToolResultDraft {
  return { ...identify(draft), ...normaliseTexts(draft), ...noteOf(draft), isError: draft.isError };
}

/**
 * The draft as interceptors see it. The first line of a moved summary may have been cut in the middle of a secret, and a
 * redactor knows only the whole: where it was cut, a derived summary stands for it.
 */
export function hideCutLine(draft: ToolResultDraft): ToolResultDraft {
  const { content, isError } = draft;
  return content !== undefined && isCutLineOf(content, draft)
    ? { ...identify(draft), ...textsOf(content), ...noteOf(draft), isError }
    : draft;
}

function isCutLineOf(content: string, { summary }: ToolResultDraft): boolean {
  const isFull = Buffer.byteLength(summary) > SHORT_TEXT_BYTES - MAX_CHARACTER_BYTES;
  return isFull && content.startsWith(summary) && !/^(\r?\n|$)/.test(content.slice(summary.length, summary.length + 2));
}

function editTexts(draft: ToolResultDraft, { summary: edited, content }: DraftEdit): DraftTexts {
  const summary = edited === draft.summary ? undefined : edited;
  if (summary === undefined && content === undefined) return textsIn(draft);
  if (summary === undefined && !hasOwnSummary(draft)) return textsOf(content ?? "");
  return normaliseTexts({ summary: summary ?? draft.summary, content: content ?? draft.content });
}

function textsIn({ summary, summaryIsDerived, content }: DraftTexts): DraftTexts {
  return { summary, ...(summaryIsDerived && { summaryIsDerived }), ...(content !== undefined && { content }) };
}

function noteOf({ note }: { readonly note?: string | undefined }): DraftNote {
  return note ? { note } : {};
}

function hasOwnSummary({ summary, summaryIsDerived }: ToolResultDraft): boolean {
  return !summaryIsDerived && summary !== NO_OUTPUT;
}

function identify({ toolCallId, toolName }: CallIdentity): CallIdentity {
  return { toolCallId, toolName };
}

function textsOfOutput(output: unknown): DraftTexts {
  if (typeof output === "string") return textsOf(output);
  if (output === undefined || output === null) return textsOf("");
  if (!isToolOutput(output)) return textsOf(contentToText(output));
  const { summary, content } = output;
  return normaliseTexts({ summary: optionalText(summary) ?? "", content: optionalText(content) });
}

function isToolOutput(output: unknown): output is { readonly summary?: unknown; readonly content?: unknown } {
  return typeof output === "object" && output !== null && ("summary" in output || "content" in output);
}

/** A text without a summary of its own. */
function textsOf(text: string): DraftTexts {
  if (text === "") return { summary: NO_OUTPUT };
  if (Buffer.byteLength(text) <= SHORT_TEXT_BYTES) return { summary: text };
  return {
    summary: `${countLines(text)} lines, ${Buffer.byteLength(text)} bytes`,
    summaryIsDerived: true,
    content: text,
  };
}

function normaliseTexts(texts: { summary: string; summaryIsDerived?: true; content?: string | undefined }): DraftTexts {
  const content = texts.content === "" ? undefined : texts.content;
  if (texts.summary === "") return textsOf(content ?? "");
  if (Buffer.byteLength(texts.summary) > MAX_SUMMARY_BYTES) return moveSummary(texts.summary, content);
  if (content === undefined) return { summary: texts.summary };
  return { summary: texts.summary, ...(texts.summaryIsDerived && { summaryIsDerived: true }), content };
}

// A long summary was a text all along: its first line stands for it, the whole goes where the cap applies.
function moveSummary(summary: string, content: string | undefined): DraftTexts {
  const moved = content === undefined ? summary : `${summary}\n${content}`;
  const firstLine = firstLineOf(summary);
  return firstLine === "" ? textsOf(moved) : { summary: firstLine, content: moved };
}

/** What stays of a summary of over 200 bytes where it is moved into content: a line of at most 200, if it has one. */
export function shortenSummary(summary: string): string {
  if (Buffer.byteLength(summary) <= SHORT_TEXT_BYTES) return summary;
  return firstLineOf(summary.trimStart()) || summary;
}

function firstLineOf(text: string): string {
  // No regular expression: the engine keeps the last text that one matched.
  const end = text.indexOf("\n");
  const line = text.slice(0, end === -1 ? undefined : text[end - 1] === "\r" ? end - 1 : end);
  // Encodes whole characters only, as many as the buffer holds.
  const { read } = new TextEncoder().encodeInto(line.slice(0, SHORT_TEXT_BYTES), new Uint8Array(SHORT_TEXT_BYTES));
  return line.slice(0, read);
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
