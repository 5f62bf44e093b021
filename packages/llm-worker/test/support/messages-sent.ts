import { createAnthropic } from "@ai-sdk/anthropic";
import { toPrompt } from "../../src/ai-sdk/to-prompt.js";
import type { Message } from "../../src/index.js";

/** The messages as the real client writes them into a request to the provider. */
export async function messagesSent(history: readonly Message[]): Promise<unknown> {
  let sent = "";
  const fetch = async (_url: unknown, init?: RequestInit) => {
    sent = String(init?.body);
    return new Response("{}", { status: 400 });
  };
  const model = createAnthropic({ baseURL: "http://localhost/v1", apiKey: "not-a-key", fetch })("model");
  await Promise.allSettled([model.doStream({ prompt: toPrompt({ messages: history, tools: [] }) })]);
  return JSON.parse(sent).messages;
}
