import { createAnthropic } from "@ai-sdk/anthropic";
import type { Provider } from "../src/provider.js";

type Model = ReturnType<ReturnType<typeof createAnthropic>>;
type Prompt = Parameters<Model["doStream"]>[0]["prompt"];
type StreamPart = Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** The AI SDK's own client, unmocked, over a real socket. It does not retry at this level. */
export function realModel(provider: Provider): Model {
  return createAnthropic({ baseURL: provider.url, apiKey: "not-a-key" })("claude-sonnet-4-5");
}

export function userSays(words: string): Prompt {
  return [{ role: "user", content: [{ type: "text", text: words }] }];
}

export async function streamParts(
  provider: Provider,
  prompt: Prompt = userSays("hello"),
  abortSignal?: AbortSignal,
): Promise<StreamPart[]> {
  const { stream } = await realModel(provider).doStream({ prompt, ...(abortSignal && { abortSignal }) });
  const parts: StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** The parts of one type, in order. */
export function partsOfType<T extends StreamPart["type"]>(
  parts: readonly StreamPart[],
  type: T,
): Extract<StreamPart, { type: T }>[] {
  return parts.filter((part): part is Extract<StreamPart, { type: T }> => part.type === type);
}
