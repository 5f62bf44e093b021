import type { LanguageModelV2, LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { LlmClient, LlmRequest } from "@pod/llm-worker";
import { fromLanguageModel, type LanguageModel } from "@pod/llm-worker/ai-sdk";
import { toPrompt, toTools } from "../src/ai-sdk/to-prompt.js";

declare const v2: LanguageModelV2;
declare const v3: LanguageModelV3;
declare const request: LlmRequest;

fromLanguageModel(v3) satisfies LlmClient;
v3 satisfies LanguageModel;
toPrompt(request) satisfies LanguageModelV3CallOptions["prompt"];
toTools(request) satisfies LanguageModelV3CallOptions["tools"];

// @ts-expect-error: a model of an older specification speaks of usage and tools in another way.
fromLanguageModel(v2);
// @ts-expect-error: only the AI SDK's own functions know what a string stands for.
fromLanguageModel("anthropic/claude");
