import type { LlmError, LlmRequest } from "./llm-client.js";
import { type AssistantPart, type Message, renderToolResult } from "./messages.js";

/** The density of path lists, the incident's: no text that agents send is known to hold more tokens in fewer bytes. */
const BYTES_PER_TOKEN = 1.8;
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
  /** Tokens, without those that the provider reads from its cache. */
  readonly estimatedInputTokens: number;
  /** Tokens a minute, as the provider states it. */
  readonly inputTokenLimit: number;
  /** At most five, largest first. */
  readonly largestItems: readonly LargestItem[];

  constructor(request: LlmRequest, estimatedInputTokens: number, inputTokenLimit: number, cause: LlmError) {
    const largestItems = findLargestItems(request.messages);
    super(describe(estimatedInputTokens, inputTokenLimit, largestItems), { cause });
    this.estimatedInputTokens = estimatedInputTokens;
    this.inputTokenLimit = inputTokenLimit;
    this.largestItems = largestItems;
  }
}

/** Tokens that a request costs at the incident's density, without those that the provider reads from its cache. */
export function estimateInputTokens(request: LlmRequest, cachedInputTokens: number): number {
  return Math.max(0, Math.ceil(countRequestBytes(request) / BYTES_PER_TOKEN) - cachedInputTokens);
}

/** UTF-8 bytes of all strings of a request, and of the schemas of its tools. */
function countRequestBytes({ instructions = "", messages, tools }: LlmRequest): number {
  const toolBytes = tools.map(({ name, description, inputSchema }) =>
    countBytes([name, description, JSON.stringify(inputSchema)]),
  );
  const itemBytes = messages.flatMap(listItems).map(({ bytes }) => bytes);
  return sum([countBytes(instructions), ...toolBytes, ...itemBytes]);
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
      return [{ kind: "user", bytes: countBytes(message.text) }];
    case "assistant":
      return message.parts.map(({ type, ...fields }) => ({
        kind: type,
        ...("toolName" in fields && { toolName: fields.toolName }),
        bytes: countBytes(fields),
      }));
    case "tool":
      return message.results.map((result) => ({
        kind: "tool-result",
        toolName: result.toolName,
        bytes: countBytes([result.toolCallId, renderToolResult(result)]),
      }));
  }
}

/** UTF-8 bytes of the strings in plain JSON, keys left out. */
function countBytes(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  return sum(Object.values(value).map(countBytes));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function describe(estimate: number, limit: number, items: readonly LargestItem[]): string {
  const named = items.map(({ messageIndex, kind, toolName, bytes }) => {
    const title = toolName === undefined ? kind : `${kind} of ${JSON.stringify(toolName.slice(0, 80))}`;
    return `  messages[${messageIndex}]: ${title}, ${bytes} bytes`;
  });
  return [
    `The request is estimated at ${estimate} input tokens; the provider's whole limit is ${limit} a minute. It can never succeed as it stands.`,
    "Lower the limits of tool outputs, or go on with a shorter history. Its largest items:",
    ...named,
  ].join("\n");
}
