import type { Message } from "@pod/llm-worker";
import { checkHistory } from "@pod/test-harness";
import { toPrompt } from "../../src/ai-sdk/to-prompt.js";

type Prompt = ReturnType<typeof toPrompt>;
type Part = Extract<Prompt[number], { role: "assistant" }>["content"][number];

/** Messages as the Anthropic provider gets them, by way of the prompt that the real client is given. */
export function renderMessages(messages: readonly Message[]): readonly object[] {
  return toPrompt({ messages, tools: [] }).map(toProviderMessage);
}

/** What the provider would refuse in a history; undefined where it takes it. An empty history is never sent. */
export function findHistoryFault(messages: readonly Message[]): string | undefined {
  return messages.length === 0 ? undefined : checkHistory(renderMessages(messages));
}

function toProviderMessage(message: Prompt[number]): object {
  switch (message.role) {
    case "system":
    case "user":
      return message;
    case "assistant":
      return { role: "assistant", content: message.content.flatMap(toBlock) };
    case "tool":
      return {
        role: "user",
        content: message.content.map(({ toolCallId, output: { type, value } }) => ({
          type: "tool_result",
          tool_use_id: toolCallId,
          content: value,
          is_error: type === "error-text",
        })),
      };
  }
}

// The SDK leaves a thought without a signature out.
function toBlock(part: Part): readonly object[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text }];
    case "reasoning": {
      const signature: unknown = part.providerOptions?.anthropic?.signature;
      return signature === undefined ? [] : [{ type: "thinking", thinking: part.text, signature }];
    }
    case "tool-call":
      return [{ type: "tool_use", id: part.toolCallId, name: part.toolName, input: part.input }];
  }
}
