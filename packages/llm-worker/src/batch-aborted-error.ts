import { preview } from "./invalid-options-error.js";
import type { ToolResult } from "./messages.js";

/** An interceptor aborted the batch. */
export class BatchAbortedError extends Error {
  override readonly name = "BatchAbortedError";
  /** The interceptor's own words. */
  readonly reason: string;
  /** One result per call, in call order, all the same: put them into history, or the provider refuses it. */
  readonly results: readonly ToolResult[];

  constructor(reason: string, results: readonly ToolResult[]) {
    super(`An interceptor aborted the batch: ${preview(reason)}`);
    this.reason = reason;
    this.results = results;
  }
}
