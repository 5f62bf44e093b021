import { type AssistantMessage, callsOf, type ToolCall, type ToolResult } from "./messages.js";

/** The calls of one assistant message, and how far an earlier run came with them. */
export interface Batch {
  readonly calls: readonly ToolCall[];
  /** By call id. A finished call never runs again. */
  readonly finished: ReadonlyMap<string, ToolResult>;
  /** Ids of calls that were about to run when they were last heard of. */
  readonly started: ReadonlySet<string>;
}

/** An answer that waits for the results of its calls. */
export interface OpenAnswer {
  readonly message: AssistantMessage;
  readonly batch: Batch;
}

/** A batch of which nothing has run. */
export function newBatch(calls: readonly ToolCall[]): Batch {
  return { calls, finished: new Map(), started: new Set() };
}

/** An answer of whose batch nothing has run. */
export function openAnswer(message: AssistantMessage): OpenAnswer {
  return { message, batch: newBatch(callsOf(message)) };
}
