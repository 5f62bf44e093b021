import { copyText } from "./copy-text.js";
import { draftError, draftOutput, editDraft, hideCutLine } from "./draft.js";
import type { InterceptorFault, WorkerEvent } from "./events.js";
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
  /** Ends the run. Every call of the batch still gets a result. */
  | { readonly type: "abort"; readonly reason: string };

/** What to do with a draft instead of passing it on: give it other texts (`content: ""` takes it away), or end the run. */
export type PostToolDecision =
  | { readonly type: "edit"; readonly summary?: string; readonly content?: string; readonly isError?: boolean }
  | { readonly type: "abort"; readonly reason: string };

/**
 * Stands before and after each tool call. One that throws, does not settle in time or returns nonsense fails closed:
 * the call is not executed, or its output is withheld.
 */
export interface Interceptor {
  /** All calls of a batch are shown before the first of them runs. */
  preToolCall?(call: ToolCall): MaybePromise<undefined | void | PreToolDecision>;
  /** The draft is complete and not yet capped: what is injected here is capped too. */
  postToolCall?(draft: ToolResultDraft, call: ToolCall): MaybePromise<undefined | void | PostToolDecision>;
}

interface InterceptionContext {
  readonly interceptors: readonly Interceptor[];
  readonly interceptorTimeoutMs: number;
  readonly signal: AbortSignal;
}

interface Failure {
  readonly type: "failed";
  /** Its place in the list, from 1. */
  readonly interceptor: number;
  readonly fault: InterceptorFault;
}

type Stop = Failure | { readonly type: "abort"; readonly reason: string } | { readonly type: "cancelled" };

/** What became of a call before it ran. */
export type Interception =
  | { readonly type: "run"; readonly call: ToolCall }
  | { readonly type: "answered"; readonly call: ToolCall; readonly draft: ToolResultDraft }
  | Stop;

/** Asks each interceptor in list order, until one decides that the call is not to run. */
export async function interceptCall(original: ToolCall, context: InterceptionContext): Promise<Interception> {
  let call = original;
  for (const [index, interceptor] of context.interceptors.entries()) {
    const current = call;
    const asked = await ask(context, async () =>
      readPreDecision(await interceptor.preToolCall?.(current), current, original),
    );
    if (asked.type !== "settled") return stop(asked, index);
    if (asked.value.type !== "run") return asked.value;
    call = asked.value.call;
  }
  return { type: "run", call };
}

/** Shows the draft to each interceptor in list order; each sees what the ones before made of it. */
export async function interceptDraft(
  original: ToolResultDraft,
  call: ToolCall,
  context: InterceptionContext,
): Promise<{ readonly type: "passed"; readonly draft: ToolResultDraft } | Stop> {
  let draft = original;
  for (const [index, interceptor] of context.interceptors.entries()) {
    const shown = Object.freeze(hideCutLine(draft));
    const asked = await ask(context, async () =>
      readPostDecision(await interceptor.postToolCall?.(shown, call), shown),
    );
    if (asked.type !== "settled") return stop(asked, index);
    if (asked.value.type !== "passed") return asked.value;
    if (asked.value.draft !== shown) draft = asked.value.draft;
  }
  return { type: "passed", draft };
}

/** The text of a result whose call was not executed, or whose output is withheld. */
export function failureText({ interceptor }: Failure): string {
  return `interceptor ${interceptor} failed`;
}

export function tellFailure(
  { toolCallId, toolName }: Pick<ToolCall, "toolCallId" | "toolName">,
  { interceptor, fault }: Failure,
  hook: keyof Interceptor,
  emit: (event: WorkerEvent) => void,
): void {
  emit({ type: "interceptor-failed", toolCallId, toolName, interceptor, hook, fault });
}

// One object, known by identity: what an interceptor threw may be a proxy, and `instanceof` would have to ask it.
const NONSENSE = new Error("An interceptor returned nonsense.");

function ask<T>({ interceptorTimeoutMs, signal }: InterceptionContext, work: () => Promise<T>): Promise<Bounded<T>> {
  return runBounded(work, { timeoutMs: interceptorTimeoutMs, signal });
}

function stop(asked: Exclude<Bounded<never>, { type: "settled" }>, index: number): Stop {
  if (asked.type === "cancelled") return asked;
  const isNonsense = asked.type === "threw" && asked.error === NONSENSE;
  return { type: "failed", interceptor: index + 1, fault: isNonsense ? "returned nonsense" : asked.type };
}

// Each property of a decision is read once, here: what its owner does to it later changes nothing.
function readPreDecision(decision: unknown, call: ToolCall, original: ToolCall) {
  if (decision === undefined) return { type: "run", call } as const;
  const { type, call: edited, reason, output } = readFields(decision);
  switch (type) {
    case "edit":
      return { type: "run", call: editCall(original, edited) } as const;
    case "skip":
      return { type: "answered", call, draft: draftError(original, readText(reason)) } as const;
    case "answer":
      return { type: "answered", call, draft: draftOutput(original, readOutput(output)) } as const;
    case "abort":
      return { type: "abort", reason: readText(reason) } as const;
    default:
      throw NONSENSE;
  }
}

function readPostDecision(decision: unknown, draft: ToolResultDraft) {
  if (decision === undefined) return { type: "passed", draft } as const;
  const { type, reason, summary, content, isError } = readFields(decision);
  switch (type) {
    case "edit":
      return { type: "passed", draft: editDraft(draft, readEdit({ summary, content, isError })) } as const;
    case "abort":
      return { type: "abort", reason: readText(reason) } as const;
    default:
      throw NONSENSE;
  }
}

function editCall({ toolCallId }: ToolCall, edited: unknown): ToolCall {
  const { toolName, input } = readFields(edited);
  return Object.freeze({ toolCallId, toolName: copyText(readText(toolName)), input: toPlainJson(input) });
}

function readEdit({ summary, content, isError }: Readonly<Record<string, unknown>>) {
  if (isError !== undefined && typeof isError !== "boolean") throw NONSENSE;
  return {
    ...(summary !== undefined && { summary: readText(summary) }),
    ...(content !== undefined && { content: readText(content) }),
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
