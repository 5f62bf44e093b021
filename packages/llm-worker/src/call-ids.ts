import type { ToolCall } from "./messages.js";

/** The ids of all calls so far. */
export class CallIds {
  readonly #taken = new Set<string>();
  /** Where the search for a free number goes on: a model without ids of its own repeats one thousands of times. */
  readonly #nextNumbers = new Map<string, number>();

  /** The call under an id that no other has, which is then taken. An id that is missing or repeated gets a number. */
  claim<C extends ToolCall>(call: C): C {
    const wanted = call.toolCallId === "" ? "call" : call.toolCallId;
    let toolCallId = wanted;
    while (this.#taken.has(toolCallId)) toolCallId = `${wanted}-${this.#takeNumber(wanted)}`;
    this.#taken.add(toolCallId);
    return Object.freeze({ ...call, toolCallId });
  }

  #takeNumber(wanted: string): number {
    const number = this.#nextNumbers.get(wanted) ?? 2;
    this.#nextNumbers.set(wanted, number + 1);
    return number;
  }
}
