import { copyText } from "./copy-text.js";

/** Arguments that do not make sense, all faults at once. */
export class InvalidOptionsError extends TypeError {
  override readonly name = "InvalidOptionsError";
  /** One line a fault: where, what was expected, what came. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.faults = Object.freeze([...faults]);
  }
}

/** What a timer can take, and more than any count needs. */
const MAX_COUNT = 2 ** 31 - 1;

/** Collects faults, so that one error can tell them all. */
export class FaultList {
  readonly #faults = new Set<string>();

  expect(isMet: boolean, place: string, expected: string, received: unknown): void {
    if (!isMet) this.add(`${place}: expected ${expected}, received ${preview(received)}`);
  }

  expectCount(received: unknown, place: string): void {
    const isCount = Number.isInteger(received) && Number(received) >= 1 && Number(received) <= MAX_COUNT;
    this.expect(isCount, place, `an integer from 1 to ${MAX_COUNT}`, received);
  }

  expectSignal(received: unknown, place: string): void {
    this.expect(received === undefined || received instanceof AbortSignal, place, "an AbortSignal", received);
  }

  /** What is no object has no fields to look at: the faults so far, this one included, are told at once. */
  expectObject(received: unknown, place: string): void {
    if (typeof received === "object" && received !== null) return;
    this.expect(false, place, "an object", received);
    this.throwIfAny();
  }

  /** A fault that was told already is told once. */
  add(fault: string): void {
    this.#faults.add(fault);
  }

  /** Throws {@link InvalidOptionsError} where there is any fault. */
  throwIfAny(): void {
    if (this.#faults.size > 0) throw new InvalidOptionsError([...this.#faults]);
  }
}

const PREVIEW_UNITS = 80;

/** A value in an error: a scalar as it is, at most 80 characters of it; of anything else only the kind. */
export function preview(value: unknown): string {
  switch (typeof value) {
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
    case "function":
      return "a function";
    case "string":
      return shorten(JSON.stringify(copyText(value.slice(0, PREVIEW_UNITS))));
    default:
      return shorten(String(value));
  }
}

/** At most 80 characters of a text. */
export function shorten(text: string): string {
  return text.length <= PREVIEW_UNITS ? text : `${text.slice(0, PREVIEW_UNITS)}…`;
}
