import { createAnthropic } from "@ai-sdk/anthropic";
import { type Provider, type ProviderOptions, startProvider } from "../src/provider.js";

type Model = ReturnType<ReturnType<typeof createAnthropic>>;
type Prompt = Parameters<Model["doStream"]>[0]["prompt"];
type StreamPart = Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** Runs `use` against a provider of its own, and closes it whatever happens. */
export async function withProvider<T>(options: ProviderOptions, use: (provider: Provider) => Promise<T>): Promise<T> {
  const provider = await startProvider(options);
  let result: T;
  try {
    result = await use(provider);
  } catch (error) {
    await provider.close().catch(() => {});
    throw error;
  }
  await provider.close();
  return result;
}

/** The AI SDK's own client, unmocked, over a real socket. It does not retry at this level. */
export function realModel(provider: Provider): Model {
  return createAnthropic({ baseURL: provider.url, apiKey: "not-a-key" })("claude-sonnet-4-5");
}

export function userSays(words: string): Prompt {
  return [{ role: "user", content: [{ type: "text", text: words }] }];
}

export async function streamParts(provider: Provider, prompt: Prompt = userSays("hello")): Promise<StreamPart[]> {
  const { stream } = await realModel(provider).doStream({ prompt });
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
