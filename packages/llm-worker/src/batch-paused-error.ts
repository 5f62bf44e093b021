import { preview } from "./invalid-options-error.js";
import type { ToolCall } from "./messages.js";

/** An interceptor paused the batch, and none of its calls was executed: execute them again once it has decided. */
export class BatchPausedError extends Error {
  override readonly name = "BatchPausedError";
  /** The calls that wait for a decision. */
  readonly calls: readonly ToolCall[];

  constructor(calls: readonly ToolCall[]) {
    super(`An interceptor paused the batch: ${calls.map(({ toolName }) => preview(toolName)).join(", ")}`);
    this.calls = calls;
  }
}
