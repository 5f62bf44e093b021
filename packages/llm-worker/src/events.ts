import type { TokenTruncation } from "@pod/tool-output-cap";
import { publishEvent } from "./event-channel.js";
import type { LlmError, Usage } from "./llm-client.js";
import type { ToolCall, ToolResult } from "./messages.js";
import type { MaybePromise } from "./tool.js";

/** Why an interceptor failed. Never its own words: they may hold the output that it was to redact. */
export type InterceptorFault = "threw" | "timed-out" | "returned nonsense";

/** What observers learn, in the order in which it happens. A tool result is told after it entered history. */
export type WorkerEvent =
  | { readonly type: "turn-start"; readonly turn: number }
  | { readonly type: "turn-end"; readonly turn: number }
  | { readonly type: "request-start"; readonly turn: number; readonly attempt: number }
  | {
      readonly type: "request-end";
      readonly turn: number;
      readonly attempt: number;
      readonly outcome: "answered" | "failed" | "cancelled";
    }
  /** Part of an answer that may still be discarded: see `retry`. */
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "tool-call"; readonly call: ToolCall }
  | { readonly type: "tool-result"; readonly result: ToolResult }
  /** Sizes in UTF-8 bytes; never the text. */
  | {
      readonly type: "tool-output-truncated";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly maxBytes: number;
      readonly originalBytes: number;
      readonly keptBytes: number;
      readonly droppedBytes: number;
      /** The same in tokens, where the limit was one in tokens. */
      readonly tokens?: TokenTruncation;
      /** Set where not the tool's own limit but the budget of the batch made the cut. */
      readonly reason?: "turn-budget";
    }
  /** `interceptor` is its place in the list, from 1. */
  | {
      readonly type: "interceptor-failed";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly interceptor: number;
      readonly hook: "preToolCall" | "postToolCall";
      readonly fault: InterceptorFault;
    }
  /** The answer so far is discarded, deltas included; the request is sent again after `delayMs`. */
  | {
      readonly type: "retry";
      readonly turn: number;
      /** The attempt that failed, from 1. */
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: Pick<LlmError, "kind" | "status" | "code">;
    }
  /**
   * The provider refused a request for its size, and its newest batch was made smaller: it is sent again at once. In UTF-8
   * bytes of what the model receives of the batch.
   */
  | {
      readonly type: "batch-recapped";
      readonly turn: number;
      /** The attempt that was refused, from 1. */
      readonly attempt: number;
      readonly fromBytes: number;
      readonly toBytes: number;
    }
  | { readonly type: "usage"; readonly usage: Usage }
  /** The host's counter threw, or gave no number, for the first time. What it does not count is taken to have as many tokens as UTF-8 bytes. */
  | { readonly type: "counter-failed" }
  /** A limit names a tool that the worker does not have. */
  | { readonly type: "warning"; readonly message: string; readonly toolName: string; readonly nearest?: string };

/** Told of every event, in order. What it throws, or rejects with, breaks nothing; it is not waited for. */
export type WorkerEventListener = (event: WorkerEvent) => MaybePromise<void>;

/** Tells events to the channel and to a listener, which can neither break a run nor change an event. */
export function createEmitter(worker: string, listener: WorkerEventListener | undefined): (event: WorkerEvent) => void {
  return (event) => {
    publishEvent(worker, event);
    if (listener === undefined) return;
    // A listener's failure is the listener's: there is no one else to tell, and the run goes on.
    const tell = async () => listener(Object.freeze(event));
    tell().catch(() => {});
  };
}

/** Tells of an interceptor that failed closed: which one and how, and none of its words. */
export function emitInterceptorFailed(
  { toolCallId, toolName }: Pick<ToolCall, "toolCallId" | "toolName">,
  { interceptor, fault }: { readonly interceptor: number; readonly fault: InterceptorFault },
  hook: "preToolCall" | "postToolCall",
  emit: (event: WorkerEvent) => void,
): void {
  emit({ type: "interceptor-failed", toolCallId, toolName, interceptor, hook, fault });
}

/** Tells of the results of a batch, in call order, once they are where they belong. */
export function emitResults(results: readonly ToolResult[], emit: (event: WorkerEvent) => void): void {
  for (const result of results) {
    emit({ type: "tool-result", result });
    if (result.truncation === undefined) continue;
    const { toolCallId, toolName, truncation } = result;
    const { maxBytes, originalBytes, keptBytes, droppedBytes, tokens, reason } = truncation;
    emit({
      type: "tool-output-truncated",
      toolCallId,
      toolName,
      maxBytes,
      originalBytes,
      keptBytes,
      droppedBytes,
      ...(tokens !== undefined && { tokens }),
      ...(reason !== undefined && { reason }),
    });
  }
}
