import type { Message, ToolCall } from "./messages.js";
import { isMadeHere } from "./tool-result.js";

/** An append-only list of frozen messages. A tool result that did not come through the chokepoint does not get in. */
export class History {
  readonly #messages: Message[] = [];
  #snapshot: readonly Message[] | undefined;
  /** The ids of all calls so far. */
  readonly callIds: Set<string>;

  constructor(messages: readonly Message[]) {
    for (const message of messages) this.append(message);
    this.callIds = new Set(messages.flatMap(callsOf).map(({ toolCallId }) => toolCallId));
  }

  /** The messages so far, frozen: what is appended later does not show. */
  get messages(): readonly Message[] {
    this.#snapshot ??= Object.freeze([...this.#messages]);
    return this.#snapshot;
  }

  append(message: Message): void {
    if (message.role === "tool" && !message.results.every(isMadeHere)) {
      throw new Error("Only what makeToolResult made enters history.");
    }
    this.#messages.push(Object.freeze(message));
    this.#snapshot = undefined;
  }
}

/** The tool calls that a message asks for. */
export function callsOf(message: Message): readonly ToolCall[] {
  return message.role === "assistant" ? message.parts.filter((part) => part.type === "tool-call") : [];
}
