import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { AssistantPart, LlmRequest, LlmStreamPart } from "@pod/llm-worker";
import { fromLanguageModel, type LanguageModel, type LanguageModelCallOptions } from "@pod/llm-worker/ai-sdk";

/** A fake: no SDK has a hand in it. It records what it is asked and plays the parts of its stream. */
export interface HandMadeModel extends LanguageModel {
  readonly asked: LanguageModelCallOptions[];
  /** Why its stream was cancelled, once for each time. */
  readonly cancelled: unknown[];
}

/** A part that specification v3 does not know is a v4 part, or a model's mistake. */
export type FakePart = LanguageModelV3StreamPart | { readonly type: string; readonly [field: string]: unknown };

/**
 * A stream that stays open after its last part ends `"open"`, with `"pings"`, or with a `"flood"` of them that are ready
 * at once (so many that it is seen; without an end a test that fails would hang); one that fails ends with an error.
 */
export interface FakeEnding {
  readonly specificationVersion?: "v3" | "v4";
  readonly ending?: "close" | "open" | "pings" | "flood" | Error;
}

export function handMadeModel(
  parts: readonly FakePart[],
  { specificationVersion = "v3", ending = "close" }: FakeEnding = {},
): HandMadeModel {
  const asked: LanguageModelCallOptions[] = [];
  const cancelled: unknown[] = [];
  return {
    specificationVersion,
    provider: "fake.messages",
    modelId: "fake-1",
    asked,
    cancelled,
    async doStream(options) {
      asked.push(options);
      const left = [...parts];
      let floodParts = 100_000;
      const stream = new ReadableStream<FakePart>({
        async pull(controller) {
          const part = left.shift();
          if (part !== undefined) return controller.enqueue(part);
          if (ending === "flood" && floodParts-- > 0) controller.enqueue({ type: "ping" });
          else if (ending === "pings") {
            await new Promise((resolve) => setImmediate(resolve));
            if (cancelled.length === 0) controller.enqueue({ type: "ping" });
          } else if (ending === "close" || ending === "flood") controller.close();
          else if (ending !== "open") controller.error(ending);
        },
        cancel: (reason) => void cancelled.push(reason),
      });
      return { stream };
    },
  };
}

export const NO_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

export function finish(unified: "stop" | "length" | "tool-calls" = "stop"): FakePart {
  return { type: "finish", finishReason: { unified, raw: unified }, usage: NO_USAGE };
}

export const ASK: LlmRequest = { messages: [{ role: "user", text: "hello" }], tools: [] };

/** All that the adapter makes of one answer. */
export async function streamAll(
  model: LanguageModel,
  request: LlmRequest = ASK,
  signal: AbortSignal = new AbortController().signal,
): Promise<LlmStreamPart[]> {
  const parts: LlmStreamPart[] = [];
  for await (const part of fromLanguageModel(model).stream(request, { signal })) parts.push(part);
  return parts;
}

/** The blocks of an answer, as history would hold them. */
export async function streamBlocks(model: LanguageModel, request?: LlmRequest): Promise<AssistantPart[]> {
  const parts = await streamAll(model, request);
  return parts.filter((part): part is AssistantPart => part.type !== "text-delta" && part.type !== "finish");
}
