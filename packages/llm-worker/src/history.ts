import { CallIds } from "./call-ids.js";
import type { AssistantPart, Message, ToolCall } from "./messages.js";
import { isFromChokepoint } from "./tool-result.js";

/** An append-only list of frozen messages. A tool result that did not come through the chokepoint does not get in. */
export class History {
  readonly #messages: Message[] = [];
  #snapshot: readonly Message[] | undefined;
  readonly #callIds = new CallIds();

  constructor(messages: readonly Message[]) {
    for (const message of messages) {
      this.append(message);
      for (const call of callsOf(message)) this.#callIds.claim(call);
    }
  }

  /** The messages so far, frozen: what is appended later does not show. */
  get messages(): readonly Message[] {
    this.#snapshot ??= Object.freeze([...this.#messages]);
    return this.#snapshot;
  }

  /** Appends an answer, each call under an id that no call before has. One that says nothing leaves no message. */
  appendAnswer(parts: readonly AssistantPart[]): Message {
    const claimed = parts.map((part) => (part.type === "tool-call" ? this.#callIds.claim(part) : part));
    const message = { role: "assistant", parts: Object.freeze(claimed) } as const;
    if (claimed.length > 0) this.append(message);
    return message;
  }

  append(message: Message): void {
    if (message.role === "tool" && !message.results.every(isFromChokepoint)) {
      throw new Error("Only what makeToolResult made enters history.");
    }
    this.#messages.push(Object.freeze(message));
    this.#snapshot = undefined;
  }
}

/** The tool calls that a message asks for. */
export function callsOf(message: Message): readonly ToolCall[] {
  if (message.role !== "assistant") return [];
  return message.parts
    .filter((part) => part.type === "tool-call")
    .map(({ toolCallId, toolName, input }) => Object.freeze({ toolCallId, toolName, input }));
}
