import { type OpenAnswer, openAnswer } from "./batch.js";
import { CallIds } from "./call-ids.js";
import { type MessageSize, measureMessage } from "./message-size.js";
import {
  type AssistantMessage,
  type AssistantPart,
  callsOf,
  type Message,
  resultsOf,
  type ToolResult,
} from "./messages.js";
import { isFromChokepoint } from "./tool-result.js";

/**
 * A list of frozen messages, append-only but for the newest batch. An answer that calls tools enters it together with its
 * results, so that it never holds a call without one. A tool result that did not come through the chokepoint does not get
 * in.
 */
export class History {
  readonly #messages: Message[] = [];
  readonly #callIds = new CallIds();
  #size: MessageSize = { textBytes: 0, opaqueBytes: 0 };
  #snapshot: readonly Message[] | undefined;
  #open: OpenAnswer | undefined;
  /** Messages that a provider has answered to. */
  #acceptedCount = 0;

  constructor(messages: readonly Message[], open?: OpenAnswer) {
    for (const message of messages) {
      this.append(message);
      this.#claimIds(message);
    }
    if (open !== undefined) this.#claimIds(open.message);
    this.#open = open;
  }

  /** The messages so far, frozen: what is appended later does not show. */
  get messages(): readonly Message[] {
    this.#snapshot ??= Object.freeze([...this.#messages]);
    return this.#snapshot;
  }

  /** What the messages add to a request. Kept up to date, so that no turn measures them all. */
  get size(): MessageSize {
    return this.#size;
  }

  /** The answer that waits for the results of its calls. */
  get open(): OpenAnswer | undefined {
    return this.#open;
  }

  /** The results of the newest batch, as long as no provider has accepted them. */
  get newestResults(): readonly ToolResult[] {
    return resultsOf(this.#messages[this.#newestBatchIndex()]);
  }

  append(message: Message): void {
    this.#checkResults(resultsOf(message));
    this.#messages.push(Object.freeze(message));
    this.#snapshot = undefined;
    this.#size = addSizes(this.#size, measureMessage(message), 1);
  }

  /**
   * Takes an answer, each call of it under an id that no call before has; with it, the provider accepted everything so
   * far. An answer with calls waits for `close`; one that says nothing leaves no message.
   */
  takeAnswer(parts: readonly AssistantPart[]): AssistantMessage {
    this.#acceptedCount = this.#messages.length;
    const claimed = parts.map((part) => (part.type === "tool-call" ? this.#callIds.claim(part) : part));
    const message: AssistantMessage = Object.freeze({ role: "assistant", parts: Object.freeze(claimed) });
    if (callsOf(message).length > 0) this.#open = openAnswer(message);
    else if (claimed.length > 0) this.append(message);
    return message;
  }

  /** Appends the open answer and the results of its calls, in call order. */
  close(results: readonly ToolResult[]): void {
    if (this.#open === undefined) throw new Error("No answer waits for results.");
    this.#checkResults(results);
    this.append(this.#open.message);
    this.append({ role: "tool", results });
    this.#open = undefined;
  }

  /** Puts smaller results in place of the newest batch's. */
  replaceNewestResults(results: readonly ToolResult[]): void {
    const index = this.#newestBatchIndex();
    const before = this.#messages[index];
    if (before === undefined) throw new Error("A batch that a provider has accepted does not change.");
    this.#checkResults(results);
    const after: Message = Object.freeze({ role: "tool", results });
    this.#messages[index] = after;
    this.#snapshot = undefined;
    this.#size = addSizes(addSizes(this.#size, measureMessage(before), -1), measureMessage(after), 1);
  }

  #newestBatchIndex(): number {
    const index = this.#messages.findLastIndex(({ role }) => role !== "user");
    return index >= this.#acceptedCount && this.#messages[index]?.role === "tool" ? index : -1;
  }

  #claimIds(message: Message): void {
    for (const call of callsOf(message)) this.#callIds.claim(call);
  }

  #checkResults(results: readonly ToolResult[]): void {
    if (!results.every(isFromChokepoint)) throw new Error("Only what makeToolResult made enters history.");
  }
}

function addSizes(total: MessageSize, { textBytes, opaqueBytes }: MessageSize, sign: 1 | -1): MessageSize {
  return { textBytes: total.textBytes + sign * textBytes, opaqueBytes: total.opaqueBytes + sign * opaqueBytes };
}
