export { BatchAbortedError } from "./batch-aborted-error.js";
export { BatchPausedError } from "./batch-paused-error.js";
export { type CapHistoryOptions, capHistory } from "./cap-history.js";
export type { ChannelEvent } from "./event-channel.js";
export type { InterceptorFault, WorkerEvent, WorkerEventListener } from "./events.js";
export { type ExecuteToolsOptions, executeTools } from "./execute-tools.js";
export type { ExecutionOptions } from "./execution-setup.js";
export type { Interceptor, PostToolDecision, PreToolDecision } from "./interceptors.js";
export { InvalidOptionsError } from "./invalid-options-error.js";
export {
  type LlmClient,
  LlmError,
  type LlmErrorDetails,
  type LlmRequest,
  type LlmStreamPart,
  type Usage,
} from "./llm-client.js";
export {
  type AssistantPart,
  type Message,
  renderToolResult,
  type ToolCall,
  type ToolResult,
  type ToolResultDraft,
} from "./messages.js";
export { type LargestItem, RequestTooLargeError } from "./request-size.js";
export type { RetryOptions } from "./retry.js";
export { createWorker, type RunOptions, type RunOutcome, type Worker, WorkerBusyError } from "./run-worker.js";
export type { SessionEntry, SessionLog } from "./session-entry.js";
export type {
  JsonSchema,
  MaybePromise,
  StandardInputSchema,
  Tool,
  ToolContext,
  ToolInputSchema,
  ToolOutput,
} from "./tool.js";
export type { WorkerOptions } from "./worker-state.js";
