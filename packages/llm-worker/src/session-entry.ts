import type { Message, ToolResult } from "./messages.js";
import type { MaybePromise } from "./tool.js";

/** What a worker writes down, in the order in which it happened. Plain JSON. */
export type SessionEntry =
  /** A user's or assistant's message entered history, an assistant's before its batch is executed. */
  | { readonly type: "message"; readonly message: Message }
  /** A call of the last assistant message is about to be executed. */
  | { readonly type: "call-started"; readonly toolCallId: string }
  /** A call has its result; it never runs again. */
  | { readonly type: "call-finished"; readonly result: ToolResult }
  /**
   * The batch is complete and entered history, in call order. `lowered` are the results that its budget made smaller
   * than they were when they finished.
   */
  | { readonly type: "batch-finished"; readonly lowered: readonly ToolResult[] }
  /** The newest batch was made smaller, because the provider refused the request for its size. */
  | { readonly type: "batch-recapped"; readonly lowered: readonly ToolResult[] };

/**
 * Where a worker writes its session, so that it can be resumed after a crash. A file: `openSessionLog` of
 * `@pod/llm-worker/session-log`; a service keeps it in its own database with these two functions. The worker calls
 * none of them while an earlier call is pending, and takes what it reads as untrusted.
 */
export interface SessionLog {
  /**
   * Resolves when the entry is kept: what is acknowledged is not lost when the process dies. Where it throws or
   * rejects, the entry may be kept or not. The worker waits for it, also in a run that was cancelled: it has to settle.
   */
  append(entry: SessionEntry): MaybePromise<void>;
  /** Every entry that was acknowledged, in order; after them at most the one whose append failed. */
  read(): MaybePromise<Iterable<SessionEntry> | AsyncIterable<SessionEntry>>;
}
