import { JsonNumber } from "@pod/tool-output-cap/mcp";
import { findClosingQuote } from "./find-closing-quote.js";
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  endsScalar,
  isSpace,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  ZERO,
} from "./json-bytes.js";
import { type JsonObject, type JsonValue, setMember } from "./json-value.js";
import { ShortStrings } from "./short-strings.js";

/** Values of one text: an object of a million members is no tool result, and each costs tens of bytes of memory. */
const MAX_VALUES = 4_000_000;

const LONG_BYTES = 4_096;

/** A text with more values than can be held. */
export class TooManyValuesError extends Error {
  override readonly name = "TooManyValuesError";
}

/**
 * Reads JSON as `JSON.parse` does, but without recursion, and keeps the digits of numbers that JavaScript would write
 * otherwise. It takes `NaN` and `Infinity` too, which Python's servers write and Python's clients read.
 *
 * @throws SyntaxError for what is no JSON; TooManyValuesError for more than four million values.
 */
export function parseJson(bytes: Buffer): JsonValue {
  return new Parser(bytes).parse();
}

class Parser {
  readonly #bytes: Buffer;
  #index = 0;
  #values = 0;
  readonly #containers: (JsonValue[] | JsonObject)[] = [];
  readonly #keys: (string | undefined)[] = [];
  readonly #short = new ShortStrings();

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  parse(): JsonValue {
    for (;;) {
      const opened = this.#readOpening();
      let value = opened ?? this.#readScalar();
      if (opened !== undefined && !this.#isEmpty(opened)) {
        this.#containers.push(opened);
        this.#readKeyOf(opened);
        continue;
      }
      // A value ended: put it where it belongs, and close what ends with it.
      for (;;) {
        const container = this.#containers.at(-1);
        if (container === undefined) {
          this.#skipSpaces();
          if (this.#index < this.#bytes.length) throw this.#createError();
          return value;
        }
        if (Array.isArray(container)) container.push(value);
        else setMember(container, this.#keys.pop() ?? "", value);
        if (this.#take(COMMA)) {
          this.#readKeyOf(container);
          break;
        }
        this.#expect(Array.isArray(container) ? CLOSE_ARRAY : CLOSE_OBJECT);
        this.#containers.pop();
        value = container;
      }
    }
  }

  #readOpening(): JsonValue[] | JsonObject | undefined {
    this.#values++;
    if (this.#values > MAX_VALUES) throw new TooManyValuesError(`more than ${MAX_VALUES} values`);
    if (this.#take(OPEN_ARRAY)) return [];
    return this.#take(OPEN_OBJECT) ? {} : undefined;
  }

  #isEmpty(container: JsonValue[] | JsonObject): boolean {
    return this.#take(Array.isArray(container) ? CLOSE_ARRAY : CLOSE_OBJECT);
  }

  #readKeyOf(container: JsonValue[] | JsonObject): void {
    if (Array.isArray(container)) return;
    this.#expect(QUOTE);
    this.#keys.push(this.#readString());
    this.#expect(COLON);
  }

  #readScalar(): JsonValue {
    if (this.#take(QUOTE)) return this.#readString();
    const start = this.#index;
    while (this.#index < this.#bytes.length && !endsScalar(this.#bytes[this.#index])) this.#index++;
    const small = readSmallInteger(this.#bytes, start, this.#index);
    if (small !== undefined) return small;
    const text = this.#bytes.toString("latin1", start, this.#index);
    if (text === "true") return true;
    if (text === "false") return false;
    if (text === "null") return null;
    if (!/^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)$|^NaN$/.test(text)) throw this.#createError();
    const number = Number(text);
    return Number.isFinite(number) && String(number) === text ? number : new JsonNumber(text);
  }

  /** A string, behind its opening quote. */
  #readString(): string {
    const start = this.#index;
    const end = findClosingQuote(this.#bytes, start);
    if (end === -1) throw this.#createError();
    this.#index = end + 1;
    const short = this.#short.read(this.#bytes, start, end);
    if (short !== undefined) return short;
    // A long text is most often what it says, and then need not be there twice.
    if (end - start > LONG_BYTES && !this.#bytes.subarray(start, end).includes(BACKSLASH)) {
      const text = this.#bytes.toString("utf8", start, end);
      if (!hasControlCharacter(text)) return text;
    }
    return JSON.parse(this.#bytes.toString("utf8", start - 1, end + 1));
  }

  #expect(byte: number): void {
    if (!this.#take(byte)) throw this.#createError();
  }

  #take(byte: number): boolean {
    this.#skipSpaces();
    if (this.#bytes[this.#index] !== byte) return false;
    this.#index++;
    return true;
  }

  #skipSpaces(): void {
    while (isSpace(this.#bytes[this.#index])) this.#index++;
  }

  #createError(): SyntaxError {
    return new SyntaxError(`no JSON at byte ${this.#index}`);
  }
}

/** The whole number that up to nine digits say, as most numbers are; undefined for all else. */
function readSmallInteger(bytes: Buffer, start: number, end: number): number | undefined {
  if (end === start || end - start > 9 || (bytes[start] === ZERO && end - start > 1)) return undefined;
  let number = 0;
  for (let index = start; index < end; index++) {
    const digit = (bytes[index] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
}

/** What JSON takes in a string as an escape only. */
function hasControlCharacter(text: string): boolean {
  return /[^ -\uffff]/.test(text);
}
