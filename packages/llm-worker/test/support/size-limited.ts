import { createOpenAI } from "@ai-sdk/openai";
import { answer, countInputTokens, type Fault, text, toolUse, withProvider } from "@pod/test-harness";
import { fromLanguageModel } from "../../src/ai-sdk.js";
import type { LlmClient } from "../../src/index.js";
import { type ScriptedReply, withServer } from "../scripted-server.js";
import { realClient } from "./with-worker.js";

/** A request as the provider saw it. */
export interface SeenRequest {
  readonly inputTokens: number;
  /** UTF-8 bytes of all its strings. */
  readonly bytes: number;
  readonly isRefused: boolean;
}

export interface SizeLimited {
  /** The real client of the provider's SDK. */
  readonly client: LlmClient;
  readonly requests: readonly SeenRequest[];
}

/** A refusal for size in one of its real shapes. `statesLimit`: its words or headers have the limit. */
export type Refusal =
  | {
      readonly provider: "Anthropic";
      readonly statesLimit: boolean;
      readonly toFault: (requested: number, limit: number) => Omit<Extract<Fault, { type: "refuse" }>, "type">;
    }
  | {
      readonly provider: "OpenAI";
      readonly statesLimit: true;
      readonly toReply: (requested: number, limit: number) => ScriptedReply;
    };

export type RefusalShape =
  | "Anthropic's 413"
  | "Anthropic's prompt that is too long"
  | "Anthropic's 429, with its headers"
  | "OpenAI's 429, with its figures"
  | "OpenAI's context that is exceeded";

/** Every shape in which a provider says that a request is too large. */
export const REFUSALS: Readonly<Record<RefusalShape, Refusal>> = {
  "Anthropic's 413": {
    provider: "Anthropic",
    statesLimit: false,
    toFault: () => ({ status: 413, message: "Request exceeds the maximum size" }),
  },
  "Anthropic's prompt that is too long": {
    provider: "Anthropic",
    statesLimit: true,
    toFault: (requested, limit) => ({
      status: 400,
      message: `prompt is too long: ${requested} tokens > ${limit} maximum`,
    }),
  },
  "Anthropic's 429, with its headers": {
    provider: "Anthropic",
    statesLimit: true,
    toFault: (_requested, limit) => ({
      status: 429,
      headers: { "anthropic-ratelimit-input-tokens-limit": String(limit), "retry-after": "60" },
    }),
  },
  "OpenAI's 429, with its figures": {
    provider: "OpenAI",
    statesLimit: true,
    toReply: (requested, limit) => ({
      status: 429,
      body: {
        error: {
          message: `Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit ${limit}, Requested ${requested}. The input or output tokens must be reduced in order to run successfully.`,
          type: "tokens",
          param: null,
          code: "rate_limit_exceeded",
        },
      },
    }),
  },
  "OpenAI's context that is exceeded": {
    provider: "OpenAI",
    statesLimit: true,
    toReply: (requested, limit) => ({
      status: 400,
      body: {
        error: {
          message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${requested} tokens. Please reduce the length of the messages.`,
          type: "invalid_request_error",
          param: "messages",
          code: "context_length_exceeded",
        },
      },
    }),
  },
};

export interface SizeLimit {
  readonly refusal: Refusal;
  /** Every request of more tokens is refused, however long one waits. */
  readonly maxTokens: number;
  /** How many calls of `Glob` the model asks for before it is done. Default 1. */
  readonly calls?: number;
  readonly bytesPerToken?: number;
}

/** A provider with a limit, and a model that asks for one batch and is done when it has the results. */
export function withSizeLimit<T>(limit: SizeLimit, use: (limited: SizeLimited) => Promise<T>): Promise<T> {
  const requests: SeenRequest[] = [];
  const { refusal, maxTokens, calls = 1, bytesPerToken } = limit;

  function see(body: unknown): { readonly tokens: number; readonly isRefused: boolean } {
    const tokens = countInputTokens(body, bytesPerToken);
    const isRefused = tokens > maxTokens;
    requests.push({ inputTokens: tokens, bytes: countInputTokens(body, 1), isRefused });
    return { tokens, isRefused };
  }

  if (refusal.provider === "OpenAI") {
    return withServer(
      (body) => {
        const { tokens, isRefused } = see(body);
        if (isRefused) return refusal.toReply(tokens, maxTokens);
        return chatAnswer(JSON.stringify(body.messages).includes('"role":"tool"') ? 0 : calls, tokens);
      },
      ({ url }) => {
        const model = createOpenAI({ baseURL: url, apiKey: "not-a-key" }).chat("gpt-4o");
        return use({ client: fromLanguageModel(model), requests });
      },
    );
  }
  return withProvider(
    {
      ...(bytesPerToken !== undefined && { bytesPerToken }),
      script: (body) => {
        const { tokens, isRefused } = see(body);
        if (isRefused) return { type: "refuse", ...refusal.toFault(tokens, maxTokens) };
        const isDone = JSON.stringify(body.messages).includes('"tool_result"');
        return isDone ? answer(text("Done.")) : answer(...Array.from({ length: calls }, () => toolUse("Glob", {})));
      },
    },
    (provider) => use({ client: realClient(provider), requests }),
  );
}

function chatAnswer(calls: number, promptTokens: number): ScriptedReply {
  const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model: "gpt-4o" };
  const choice = (delta: object, finishReason: string | null = null) => ({
    ...chunk,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
  const toolCalls = Array.from({ length: calls }, (_, index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name: "Glob", arguments: "{}" },
  }));
  const said = calls === 0 ? { content: "Done." } : { tool_calls: toolCalls };
  const usage = { prompt_tokens: promptTokens, completion_tokens: 1, total_tokens: promptTokens + 1 };
  return {
    events: [choice(said), choice({}, calls === 0 ? "stop" : "tool_calls"), { ...chunk, choices: [], usage }],
  };
}
