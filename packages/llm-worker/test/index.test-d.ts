// Checked by tsc alone: a signature of DESIGN.md section 6 that changes does not compile here.
import type {
  AssistantPart,
  BatchAbortedError,
  BatchPausedError,
  CapHistoryOptions,
  capHistory,
  createWorker,
  ExecuteToolsOptions,
  executeTools,
  Interceptor,
  JsonSchema,
  LargestItem,
  LlmClient,
  LlmErrorDetails,
  LlmRequest,
  LlmStreamPart,
  MaybePromise,
  Message,
  PostToolDecision,
  PreToolDecision,
  RequestTooLargeError,
  RetryOptions,
  RunOptions,
  RunOutcome,
  renderToolResult,
  StandardInputSchema,
  ToolCall,
  ToolContext,
  ToolInputSchema,
  ToolOutput,
  ToolResult,
  ToolResultDraft,
  Usage,
  Worker,
  WorkerEvent,
  WorkerOptions,
} from "@pod/llm-worker";
import { LlmError, type Tool } from "@pod/llm-worker";
import type { fromLanguageModel, LanguageModel } from "@pod/llm-worker/ai-sdk";
import type { TokenTruncation, ToolOutputLimits, Truncation } from "@pod/tool-output-cap";
import { z } from "zod";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

assertType<Same<typeof createWorker, (options: WorkerOptions) => Worker>>();
assertType<
  Same<
    typeof executeTools,
    (calls: readonly ToolCall[], options: ExecuteToolsOptions) => Promise<readonly ToolResult[]>
  >
>();
assertType<
  Same<
    typeof capHistory,
    (history: readonly Message[], limits?: ToolOutputLimits, options?: CapHistoryOptions) => readonly Message[]
  >
>();
assertType<Same<typeof renderToolResult, (result: ToolResultDraft) => string>>();
assertType<Same<typeof fromLanguageModel, (model: LanguageModel) => LlmClient>>();

assertType<Same<Worker["run"], (input: string, options?: RunOptions) => Promise<RunOutcome>>>();
assertType<Same<Worker["resume"], (options?: RunOptions) => Promise<RunOutcome>>>();
assertType<Same<RunOptions, { readonly signal?: AbortSignal }>>();
assertType<Same<Worker["history"], readonly Message[]>>();
assertType<Same<keyof Worker, "run" | "resume" | "history">>();
assertType<
  Same<
    RunOutcome,
    | { readonly type: "finished"; readonly text: string }
    | { readonly type: "max-turns" }
    | { readonly type: "aborted"; readonly reason: string }
    | { readonly type: "paused"; readonly calls: readonly ToolCall[] }
    | { readonly type: "cancelled" }
  >
>();

assertType<
  Same<
    keyof WorkerOptions,
    | "client"
    | "tools"
    | "toolOutput"
    | "counter"
    | "interceptors"
    | "instructions"
    | "history"
    | "log"
    | "maxTurns"
    | "retry"
    | "sleep"
    | "onEvent"
    | "maxConcurrency"
    | "toolTimeoutMs"
    | "interceptorTimeoutMs"
    | "name"
  >
>();
assertType<Same<RequiredKeys<WorkerOptions>, "client" | "tools">>();
assertType<Same<RequiredKeys<ExecuteToolsOptions>, "tools">>();
assertType<Same<WorkerOptions["sleep"], ((ms: number, signal: AbortSignal) => Promise<void>) | undefined>>();
assertType<Same<RetryOptions, { readonly maxAttempts?: number; readonly maxTotalMs?: number }>>();

assertType<Same<MaybePromise<string>, string | Promise<string>>>();
assertType<Same<ToolOutput, { readonly summary: string; readonly content?: unknown }>>();
assertType<Same<ToolCall, { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }>>();
assertType<
  Same<
    ToolResult,
    {
      readonly toolCallId: string;
      readonly toolName: string;
      readonly summary: string;
      readonly summaryIsDerived?: true;
      readonly content?: string;
      readonly note?: string;
      readonly isError: boolean;
      readonly truncation?: Truncation;
      readonly noteTruncation?: Truncation;
    }
  >
>();
assertType<Same<ToolResultDraft, Omit<ToolResult, "truncation" | "noteTruncation">>>();
assertType<Same<ToolContext, { readonly toolCallId: string; readonly signal: AbortSignal }>>();
assertType<Same<Tool["execute"], (input: unknown, context: ToolContext) => MaybePromise<ToolOutput | string>>>();
assertType<Same<ToolInputSchema, StandardInputSchema | JsonSchema>>();

assertType<
  Same<
    PreToolDecision,
    | { readonly type: "edit"; readonly call: ToolCall }
    | { readonly type: "skip"; readonly reason: string }
    | { readonly type: "answer"; readonly output: ToolOutput | string }
    | { readonly type: "pause" }
    | { readonly type: "abort"; readonly reason: string }
  >
>();
assertType<
  Same<
    PostToolDecision,
    | {
        readonly type: "edit";
        readonly summary?: string;
        readonly content?: string;
        readonly note?: string;
        readonly isError?: boolean;
      }
    | { readonly type: "abort"; readonly reason: string }
  >
>();
// Both hooks may be left out, be asynchronous, and return nothing.
({}) satisfies Interceptor;
({ preToolCall() {}, async postToolCall() {} }) satisfies Interceptor;
({
  preToolCall: (call) => ({ type: "edit", call: { ...call, toolName: "Read" } }),
  postToolCall: async ({ content = "" }, { input }) => ({ type: "edit", content: `${content}${String(input)}` }),
}) satisfies Interceptor;
// @ts-expect-error: a draft has no truncation yet.
({ postToolCall: ({ truncation }) => ({ type: "edit", content: String(truncation) }) }) satisfies Interceptor;

assertType<
  Same<
    Message,
    | { readonly role: "user"; readonly text: string }
    | { readonly role: "assistant"; readonly parts: readonly AssistantPart[] }
    | { readonly role: "tool"; readonly results: readonly ToolResult[] }
  >
>();
assertType<Same<AssistantPart["type"], "text" | "reasoning" | "tool-call">>();
assertType<Same<LlmStreamPart["type"], AssistantPart["type"] | "text-delta" | "finish">>();
assertType<
  Same<
    LlmClient,
    { stream(request: LlmRequest, options: { readonly signal: AbortSignal }): AsyncIterable<LlmStreamPart> }
  >
>();
assertType<
  Same<
    LlmRequest,
    {
      readonly instructions?: string;
      readonly messages: readonly Message[];
      readonly tools: readonly {
        readonly name: string;
        readonly description: string;
        readonly inputSchema: JsonSchema;
      }[];
    }
  >
>();
assertType<
  Same<Usage, { readonly inputTokens?: number; readonly outputTokens?: number; readonly cachedInputTokens?: number }>
>();
assertType<
  Same<
    LlmErrorDetails,
    {
      readonly kind: "status" | "network" | "protocol";
      readonly status?: number;
      readonly code?: string;
      readonly retryAfterMs?: number;
      readonly inputTokenLimit?: number;
      readonly requestedTokens?: number;
      readonly cause?: unknown;
    }
  >
>();
assertType<Same<Pick<LlmError, keyof Omit<LlmErrorDetails, "cause">>, Omit<LlmErrorDetails, "cause">>>();
new LlmError("down", { kind: "network" }) satisfies Error;

assertType<Same<BatchAbortedError["results"], readonly ToolResult[]>>();
assertType<Same<BatchAbortedError["reason"], string>>();
assertType<Same<RequestTooLargeError["largestItems"], readonly LargestItem[]>>();
assertType<Same<RequestTooLargeError["estimatedInputTokens"], number>>();
assertType<Same<RequestTooLargeError["inputTokenLimit"], number | undefined>>();
assertType<Same<BatchPausedError["calls"], readonly ToolCall[]>>();

assertType<
  Same<
    WorkerEvent["type"],
    | "turn-start"
    | "turn-end"
    | "request-start"
    | "request-end"
    | "text-delta"
    | "tool-call"
    | "tool-result"
    | "tool-output-truncated"
    | "interceptor-failed"
    | "retry"
    | "batch-recapped"
    | "usage"
    | "counter-failed"
    | "warning"
  >
>();
assertType<
  Same<
    Extract<WorkerEvent, { type: "tool-output-truncated" }>,
    {
      readonly type: "tool-output-truncated";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly maxBytes: number;
      readonly originalBytes: number;
      readonly keptBytes: number;
      readonly droppedBytes: number;
      readonly tokens?: TokenTruncation;
      readonly reason?: "turn-budget";
    }
  >
>();

// zod states its own JSON Schema; a plain one is an object.
const tool: Tool = {
  name: "Read",
  description: "Reads.",
  inputSchema: z.object({ path: z.string() }),
  execute: async (_input, { signal }) => ({ summary: "read", content: [signal.aborted] }),
};
({ ...tool, inputSchema: { type: "object" }, timeoutMs: 5, execute: () => "read" }) satisfies Tool;
// @ts-expect-error: an output has a summary.
({ ...tool, execute: () => ({ content: "read" }) }) satisfies Tool;
// @ts-expect-error: an output is an object or a string.
({ ...tool, execute: () => 5 }) satisfies Tool;

declare const worker: Worker;
// @ts-expect-error: history cannot be written.
worker.history.push({ role: "user", text: "x" });
// @ts-expect-error: there is no "off".
({ client: { stream: async function* () {} }, tools: [], toolOutput: false }) satisfies WorkerOptions;

type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
