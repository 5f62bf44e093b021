import type { AssistantPart, Message } from "./messages.js";
import type { JsonSchema } from "./tool.js";

/** One request to a model. Every string in it is well-formed. */
export interface LlmRequest {
  readonly instructions?: string;
  readonly messages: readonly Message[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: JsonSchema }[];
}

/** Tokens, as the provider reports them. `inputTokens` counts the cached ones too. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
}

/** A delta is for observers; a part is complete and enters history; `finish` comes last. */
export type LlmStreamPart =
  | AssistantPart
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "finish"; readonly usage: Usage };

/** A model behind a provider. It does not retry: the worker does. Failures are thrown as {@link LlmError}. */
export interface LlmClient {
  /** One answer, part by part; `finish` comes last. An aborted signal ends it. */
  stream(request: LlmRequest, options: { readonly signal: AbortSignal }): AsyncIterable<LlmStreamPart>;
}

/** What a client knows of a failure. The worker decides by it whether, and when, to ask again. */
export interface LlmErrorDetails {
  /** `status`: the provider refused; `network`: no whole answer came; `protocol`: the answer makes no sense. */
  readonly kind: "status" | "network" | "protocol";
  /** HTTP status. */
  readonly status?: number;
  /** The provider's own code, such as `rate_limit_error`. */
  readonly code?: string;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The whole limit that the request is measured by, in tokens: of a minute, from the rate-limit headers; or the one that the error states. */
  readonly inputTokenLimit?: number;
  /** Tokens that the request asks for, as the provider counts them. Beside a smaller `inputTokenLimit` it can never pass as it stands. */
  readonly requestedTokens?: number;
  readonly cause?: unknown;
}

/** What clients throw when a request fails. */
export class LlmError extends Error {
  override readonly name = "LlmError";
  readonly kind: LlmErrorDetails["kind"];
  readonly status?: number;
  readonly code?: string;
  readonly retryAfterMs?: number;
  readonly inputTokenLimit?: number;
  readonly requestedTokens?: number;

  constructor(message: string, details: LlmErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind;
    if (details.status !== undefined) this.status = details.status;
    if (details.code !== undefined) this.code = details.code;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
    if (details.inputTokenLimit !== undefined) this.inputTokenLimit = details.inputTokenLimit;
    if (details.requestedTokens !== undefined) this.requestedTokens = details.requestedTokens;
  }
}
