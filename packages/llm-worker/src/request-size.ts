import type { LlmRequest } from "./llm-client.js";
import { countStringBytes } from "./message-size.js";
import { type AssistantPart, type Message, renderToolResult } from "./messages.js";

const MAX_LARGEST_ITEMS = 5;

/** One item of history and what it adds to the request. */
export interface LargestItem {
  /** Place of its message in the request, from 0. */
  readonly messageIndex: number;
  readonly kind: "user" | AssistantPart["type"] | "tool-result";
  readonly toolName?: string;
  /** UTF-8 bytes of its strings. */
  readonly bytes: number;
}

/** A request that exceeds the provider's whole limit by itself: however long one waits, it cannot succeed. */
export class RequestTooLargeError extends Error {
  override readonly name = "RequestTooLargeError";
  /** Tokens: the provider's figure where it states one, else an estimate without those that it reads from its cache. */
  readonly estimatedInputTokens: number;
  /** The limit in tokens that was exceeded, as the provider states it. */
  readonly inputTokenLimit?: number;
  /** At most five, largest first. */
  readonly largestItems: readonly LargestItem[];

  constructor(
    request: LlmRequest,
    excess: { readonly inputTokens: number; readonly inputTokenLimit?: number },
    cause: unknown,
  ) {
    const largestItems = findLargestItems(request.messages);
    super(describe(excess, largestItems), { cause });
    this.estimatedInputTokens = excess.inputTokens;
    if (excess.inputTokenLimit !== undefined) this.inputTokenLimit = excess.inputTokenLimit;
    this.largestItems = largestItems;
  }
}

/** By what a request is too large. */
export interface Excess {
  readonly inputTokens: number;
  /** Those that are left out of `inputTokens`, since the provider reads them from its cache. */
  readonly cachedInputTokens: number;
  /** Absent where the provider states none. */
  readonly inputTokenLimit?: number;
}

/** UTF-8 bytes of what goes with every request: the system prompt, and the tools with their schemas. */
export function countPreambleBytes({ instructions = "", tools }: Omit<LlmRequest, "messages">): number {
  const texts = tools.flatMap(({ name, description, inputSchema }) => [name, description, JSON.stringify(inputSchema)]);
  return countStringBytes([instructions, ...texts]);
}

function findLargestItems(messages: readonly Message[]): readonly LargestItem[] {
  const items = messages.flatMap((message, messageIndex) =>
    listItems(message).map((item) => Object.freeze({ messageIndex, ...item })),
  );
  return Object.freeze(items.sort((a, b) => b.bytes - a.bytes).slice(0, MAX_LARGEST_ITEMS));
}

function listItems(message: Message): readonly Omit<LargestItem, "messageIndex">[] {
  switch (message.role) {
    case "user":
      return [{ kind: "user", bytes: countStringBytes(message.text) }];
    case "assistant":
      return message.parts.map(({ type, ...fields }) => ({
        kind: type,
        ...("toolName" in fields && { toolName: fields.toolName }),
        bytes: countStringBytes(fields),
      }));
    case "tool":
      return message.results.map((result) => ({
        kind: "tool-result",
        toolName: result.toolName,
        bytes: countStringBytes([result.toolCallId, renderToolResult(result)]),
      }));
  }
}

function describe(
  { inputTokens, inputTokenLimit }: Pick<Excess, "inputTokens" | "inputTokenLimit">,
  items: readonly LargestItem[],
): string {
  const named = items.map(({ messageIndex, kind, toolName, bytes }) => {
    const title = toolName === undefined ? kind : `${kind} of ${JSON.stringify(toolName.slice(0, 80))}`;
    return `  messages[${messageIndex}]: ${title}, ${bytes} bytes`;
  });
  const limit =
    inputTokenLimit === undefined
      ? "the provider refuses it for its size"
      : `the provider's whole limit is ${inputTokenLimit}`;
  return [
    `The request is estimated at ${inputTokens} input tokens; ${limit}. It can never succeed as it stands.`,
    "Lower the limits of tool outputs, or go on with a shorter history. Its largest items:",
    ...named,
  ].join("\n");
}
