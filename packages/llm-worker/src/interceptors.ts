import { copyText } from "./copy-text.js";
import { type DraftEdit, draftError, draftOutput, editDraft, hideCutLine } from "./draft.js";
import type { InterceptorFault } from "./events.js";
import type { ToolCall, ToolResultDraft } from "./messages.js";
import { toPlainJson } from "./plain-json.js";
import { type Bounded, runBounded } from "./run-bounded.js";
import type { MaybePromise, ToolOutput } from "./tool.js";

/** What to do with a call instead of running it as it is. Nothing: go on. */
export type PreToolDecision =
  /** Runs this call instead. Its id stays. */
  | { readonly type: "edit"; readonly call: ToolCall }
  /** Does not run it: the result is an error with the reason as its text. */
  | { readonly type: "skip"; readonly reason: string }
  /** Does not run it: this is its output. */
  | { readonly type: "answer"; readonly output: ToolOutput | string }
  /**
   * Ends the run with the outcome `paused`, before any call of the batch is executed: a person is to approve it, say. The
   * interceptors are asked again when the run is resumed.
   */
  | { readonly type: "pause" }
  /** Ends the run. Every call of the batch still gets a result. */
  | { readonly type: "abort"; readonly reason: string };

/** What to do with a draft instead of passing it on: give it other texts (`""` takes content or note away), or end the run. */
export type PostToolDecision =
  | {
      readonly type: "edit";
      readonly summary?: string;
      readonly content?: string;
      /** A word to the model that no cut of the content takes away: at most 1,024 UTF-8 bytes, and a quarter of the limit. */
      readonly note?: string;
      readonly isError?: boolean;
    }
  | { readonly type: "abort"; readonly reason: string };

/**
 * Stands before and after each tool call. One that throws, does not settle in time or returns nonsense fails closed:
 * the call is not executed, or its output is withheld.
 */
export interface Interceptor {
  /** Asked about every call of a batch before the first one starts. The call is frozen; an edit is a new one. */
  preToolCall?(call: ToolCall): MaybePromise<undefined | void | PreToolDecision>;
  /** The draft is complete and not yet capped: what is injected here is capped too. */
  postToolCall?(draft: ToolResultDraft, call: ToolCall): MaybePromise<undefined | void | PostToolDecision>;
}

/** An interceptor that threw, did not settle in time or returned nonsense. */
export interface InterceptorFailure {
  readonly type: "failed";
  /** Its place in the list, from 1. */
  readonly interceptor: number;
  readonly fault: InterceptorFault;
}

/** What keeps a call, or a draft, from going on. */
type NoPass =
  | InterceptorFailure
  | { readonly type: "aborted"; readonly reason: string }
  | { readonly type: "cancelled" };

/** What became of a call before it ran. `call` is the call as the interceptors left it. */
export type Interception = { readonly call: ToolCall } & (
  | { readonly type: "run" }
  /** Skipped or answered: the draft stands for the output. */
  | { readonly type: "not-run"; readonly draft: ToolResultDraft }
  | { readonly type: "paused" }
  | NoPass
);

type DraftInterception = { readonly type: "passed"; readonly draft: ToolResultDraft } | NoPass;

/** Asks each interceptor in list order, until one decides that the call is not to run. */
export async function interceptCall(
  call: ToolCall,
  interceptors: readonly Interceptor[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Interception> {
  let edited = call;
  for (const [index, interceptor] of interceptors.entries()) {
    const shown = edited;
    const asked = await runBounded(async () => readPreDecision(await interceptor.preToolCall?.(shown), shown, call), {
      timeoutMs,
      signal,
    });
    if (asked.type !== "settled") return { call: edited, ...toNoPass(asked, index) };
    if (asked.value.type !== "run") return asked.value;
    edited = asked.value.call;
  }
  return { type: "run", call: edited };
}

/** Shows the draft to each interceptor in list order; each sees what the ones before made of it. */
export async function interceptDraft(
  original: ToolResultDraft,
  call: ToolCall,
  interceptors: readonly Interceptor[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<DraftInterception> {
  let draft = original;
  for (const [index, interceptor] of interceptors.entries()) {
    const shown = Object.freeze(hideCutLine(draft));
    const asked = await runBounded(async () => readPostDecision(await interceptor.postToolCall?.(shown, call), shown), {
      timeoutMs,
      signal,
    });
    if (asked.type !== "settled") return toNoPass(asked, index);
    if (asked.value.type !== "passed") return asked.value;
    // Not edited: the draft stays, with the cut line that was only hidden.
    if (asked.value.draft !== shown) draft = asked.value.draft;
  }
  return { type: "passed", draft };
}

/** The text of a result whose call was not executed, or whose output is withheld. */
export function failureText({ interceptor }: InterceptorFailure): string {
  return `interceptor ${interceptor} failed`;
}

// One object, known by identity: what an interceptor threw may be a proxy, and `instanceof` would have to ask it.
const NONSENSE = new Error("An interceptor returned nonsense.");

function toNoPass(asked: Exclude<Bounded<never>, { type: "settled" }>, index: number): NoPass {
  if (asked.type === "cancelled") return asked;
  const isNonsense = asked.type === "threw" && asked.error === NONSENSE;
  return { type: "failed", interceptor: index + 1, fault: isNonsense ? "returned nonsense" : asked.type };
}

// Each property of a decision is read once, here: what its owner does to it later changes nothing.
function readPreDecision(decision: unknown, shown: ToolCall, call: ToolCall): Interception {
  if (decision === undefined) return { type: "run", call: shown };
  const { type, call: edited, reason, output } = readFields(decision);
  switch (type) {
    case "edit":
      return { type: "run", call: editCall(call, edited) };
    case "skip":
      return { type: "not-run", call: shown, draft: draftError(call, readText(reason)) };
    case "answer":
      return { type: "not-run", call: shown, draft: draftOutput(call, readOutput(output)) };
    case "pause":
      return { type: "paused", call: shown };
    case "abort":
      return { type: "aborted", call: shown, reason: readText(reason) };
    default:
      throw NONSENSE;
  }
}

function readPostDecision(decision: unknown, shown: ToolResultDraft): DraftInterception {
  if (decision === undefined) return { type: "passed", draft: shown };
  const { type, reason, summary, content, note, isError } = readFields(decision);
  switch (type) {
    case "edit":
      if (!Object.keys(Object(decision)).every((key) => EDIT_FIELDS.includes(key))) throw NONSENSE;
      return { type: "passed", draft: editDraft(shown, readEdit({ summary, content, note, isError })) };
    case "abort":
      return { type: "aborted", reason: readText(reason) };
    default:
      throw NONSENSE;
  }
}

function editCall({ toolCallId }: ToolCall, edited: unknown): ToolCall {
  const { toolName, input } = readFields(edited);
  return Object.freeze({ toolCallId, toolName: copyText(readText(toolName)), input: toPlainJson(input) });
}

// What a mistyped field was to hide would pass: an edit has no other fields, and is no edit of nothing.
const EDIT_FIELDS: readonly string[] = ["type", "summary", "content", "note", "isError"];

function readEdit({ summary, content, note, isError }: Readonly<Record<string, unknown>>): DraftEdit {
  if ([summary, content, note, isError].every((field) => field === undefined)) throw NONSENSE;
  if (isError !== undefined && typeof isError !== "boolean") throw NONSENSE;
  return {
    ...(summary !== undefined && { summary: readText(summary) }),
    ...(content !== undefined && { content: readText(content) }),
    ...(note !== undefined && { note: readText(note) }),
    ...(isError !== undefined && { isError }),
  };
}

/** The fields of an object, for its caller to take out at once: a getter or a proxy that throws is the interceptor's fault. */
function readFields(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw NONSENSE;
  return value as Readonly<Record<string, unknown>>;
}

function readOutput(value: unknown): ToolOutput | string {
  if (typeof value === "string") return value;
  const { summary, content } = readFields(value);
  return { summary: readText(summary), content };
}

function readText(value: unknown): string {
  if (typeof value !== "string") throw NONSENSE;
  return value;
}
