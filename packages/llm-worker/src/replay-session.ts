import { type AdoptedHistory, adoptHistory } from "./adopt-history.js";
import type { OpenAnswer } from "./batch.js";
import { errorToText } from "./error-text.js";
import { FaultList, shorten } from "./invalid-options-error.js";
import { callsOf, type Message, resultsOf, type ToolCall, type ToolResult } from "./messages.js";
import type { SessionEntry } from "./session-entry.js";
import { type CountedLimits, inBytes } from "./tool-limit.js";
import { WrongFieldError } from "./wrong-field-error.js";

/**
 * The history that a log tells of, fit to go on with, and the batch that was open when it ended. Entries are untrusted:
 * their results pass the chokepoint like those of any history that is handed in. They are not counted again: a counter that
 * learns changes its mind, and what a provider has accepted does not change.
 *
 * @throws InvalidOptionsError that tells every entry that makes no sense.
 */
export function replaySession(entries: readonly SessionEntry[], limits: CountedLimits): AdoptedHistory {
  const faults = new FaultList();
  const replay = new Replay();
  for (const [index, entry] of entries.entries()) {
    const place = `log[${index}]`;
    try {
      replay.apply(entry);
    } catch (error) {
      faults.add(
        error instanceof WrongFieldError ? `${place}.${error.message}` : `${place}: ${shorten(errorToText(error))}`,
      );
    }
  }
  const { messages, open } = replay.end();
  const adopted = adoptHistory(
    messages,
    inBytes(limits),
    { staysOpen: () => open !== undefined, hadStarted: ({ toolCallId }) => open?.started.has(toolCallId) === true },
    faults,
  );
  faults.throwIfAny();
  return adopted;
}

/** The entries of a history that an empty log is to begin with. */
export function* entriesOf(messages: readonly Message[], open: OpenAnswer | undefined): Iterable<SessionEntry> {
  for (const message of messages) {
    if (message.role !== "tool") yield { type: "message", message };
    for (const result of resultsOf(message)) yield { type: "call-finished", result };
    if (message.role === "tool") yield { type: "batch-finished", lowered: [] };
  }
  if (open === undefined) return;
  yield { type: "message", message: open.message };
  for (const toolCallId of open.batch.started) yield { type: "call-started", toolCallId };
  for (const result of open.batch.finished.values()) yield { type: "call-finished", result };
}

/** A batch, as far as the entries tell. */
interface OpenBatch {
  readonly calls: readonly ToolCall[];
  readonly started: Set<string>;
  /** By call id. */
  readonly results: Map<string, ToolResult>;
}

class Replay {
  readonly #messages: Message[] = [];
  #open: OpenBatch | undefined;

  /** @throws WrongFieldError, or whatever a foreign object throws. */
  apply(entry: SessionEntry): void {
    const { type }: { readonly type: unknown } = entry;
    switch (entry.type) {
      case "message":
        this.#add(entry.message);
        return;
      // Where a repair left an answer out, what follows of its batch says nothing.
      case "call-started":
        this.#open?.started.add(entry.toolCallId);
        return;
      case "call-finished":
        this.#open?.results.set(entry.result.toolCallId, entry.result);
        return;
      case "batch-finished":
        if (this.#open !== undefined) this.#messages.push(lower(toMessage(this.#open), entry.lowered));
        this.#open = undefined;
        return;
      case "batch-recapped":
        this.#recap(entry.lowered);
        return;
      default:
        throw new WrongFieldError("type", "the type of a session entry", type);
    }
  }

  /** All messages, and the batch that the last of them is of, where it is not finished. */
  end(): { readonly messages: readonly Message[]; readonly open: OpenBatch | undefined } {
    const open = this.#open;
    return { messages: open === undefined ? this.#messages : [...this.#messages, toMessage(open)], open };
  }

  #add(message: Message): void {
    if (this.#open !== undefined) this.#messages.push(toMessage(this.#open));
    const calls = callsOf(message);
    this.#messages.push(message);
    this.#open = calls.length === 0 ? undefined : { calls, started: new Set(), results: new Map() };
  }

  #recap(lowered: readonly ToolResult[]): void {
    const index = this.#messages.findLastIndex(({ role }) => role === "tool");
    const newest = this.#messages[index];
    if (newest !== undefined) this.#messages[index] = lower(newest, lowered);
  }
}

function toMessage({ calls, results }: OpenBatch): Message {
  const given = calls.map(({ toolCallId }) => results.get(toolCallId)).filter((result) => result !== undefined);
  return { role: "tool", results: given };
}

function lower(message: Message, lowered: readonly ToolResult[]): Message {
  const byId = new Map(lowered.map((result) => [result.toolCallId, result]));
  return { role: "tool", results: resultsOf(message).map((result) => byId.get(result.toolCallId) ?? result) };
}
