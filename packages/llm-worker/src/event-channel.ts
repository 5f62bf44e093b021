import { type Channel, channel } from "node:diagnostics_channel";
import type { WorkerEvent } from "./events.js";
import { renderToolResult } from "./messages.js";

/** An event as the channel tells it: sizes and names, never a text of the model, of a tool or of a user. */
export type ChannelEvent =
  | Exclude<WorkerEvent, { readonly type: "text-delta" | "tool-call" | "tool-result" }>
  | { readonly type: "tool-call"; readonly toolCallId: string; readonly toolName: string }
  | {
      readonly type: "tool-result";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly isError: boolean;
      /** UTF-8 bytes of what the model receives. */
      readonly receivedBytes: number;
    };

const channels = new Map<string, Channel>();
let workerCount = 0;

/** A name for a worker that was given none, one of its own in this process. */
export function nextWorkerName(): string {
  workerCount++;
  return `worker-${workerCount}`;
}

/**
 * Publishes an event on `pod.llm-worker.<type>` of `node:diagnostics_channel`, with the name of the worker as `worker`.
 * Where nobody listens, nothing is made. Deltas are not published.
 */
export function publishEvent(worker: string, event: WorkerEvent): void {
  if (event.type === "text-delta") return;
  const { type } = event;
  let target = channels.get(type);
  if (target === undefined) {
    target = channel(`pod.llm-worker.${type}`);
    channels.set(type, target);
  }
  if (target.hasSubscribers) target.publish(Object.freeze({ worker, ...withoutText(event) }));
}

function withoutText(event: Exclude<WorkerEvent, { readonly type: "text-delta" }>): ChannelEvent {
  switch (event.type) {
    case "tool-call": {
      const { toolCallId, toolName } = event.call;
      return { type: "tool-call", toolCallId, toolName };
    }
    case "tool-result": {
      const { toolCallId, toolName, isError } = event.result;
      const receivedBytes = Buffer.byteLength(renderToolResult(event.result));
      return { type: "tool-result", toolCallId, toolName, isError, receivedBytes };
    }
    default:
      return event;
  }
}
