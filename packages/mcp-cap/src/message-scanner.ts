import * as ascii from "./json-bytes.js";
import {
  createDraft,
  type Interest,
  MESSAGE,
  type MessageDraft,
  type MessageOutline,
  readText,
} from "./message-outline.js";
import { StringScanner } from "./string-scanner.js";

/** Messages of one batch, and parts of one name in a message; real ones have a handful, and one. */
const MAX_MESSAGES = 10_000;
const MAX_PARTS = 100;
/** Bytes of a token: nobody waits for a longer id. */
const MAX_TOKEN_BYTES = 65_536;

/** A container that is being read, and that may hold something of interest. A batch has no interest and is no message. */
interface Frame {
  readonly interest: Interest | undefined;
  readonly message: MessageDraft | undefined;
  readonly isObject: boolean;
  readonly start: number;
}

/**
 * Reads one line of JSON-RPC as its pieces come, in memory that does not grow with the line, and outlines its messages. It
 * judges no syntax: a line that is no JSON has outlines that mean nothing, or none.
 */
export class MessageScanner {
  readonly outlines: MessageOutline[] = [];
  #hasMore = false;
  #position = 0;
  readonly #frames: Frame[] = [];
  /** How deep the reader is in a container without interest. */
  #depthBelow = 0;
  /** What is of interest in the value that is next. */
  #interest: Interest | undefined;
  #expectsKey = false;
  #valueStart = 0;
  #scalar: string | undefined;
  #inString = false;
  readonly #string = new StringScanner(MAX_TOKEN_BYTES);

  /** Whether the line has more than is outlined. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Whether the one message of the line is, as far as it was read, a request or a notification. */
  get isRequestSoFar(): boolean {
    const message = this.#frames[0]?.message;
    if (message?.tokens.method === undefined) return false;
    const part = this.#frames[1]?.interest?.part ?? this.#interest?.part;
    return part !== "result" && part !== "error" && message.parts.result.length + message.parts.error.length === 0;
  }

  push(piece: Buffer): void {
    let index = 0;
    while (index < piece.length) {
      if (this.#inString) index = this.#readString(piece, index);
      else if (this.#depthBelow > 0) index = this.#skip(piece, index);
      else {
        this.#step(piece[index] ?? 0, this.#position + index);
        index++;
      }
    }
    this.#position += piece.length;
  }

  #readString(piece: Buffer, from: number): number {
    const index = this.#string.push(piece, from);
    if (!this.#string.isAtEnd) return index;
    this.#inString = false;
    if (this.#depthBelow > 0) return index;
    if (this.#expectsKey) {
      const key = readKey(this.#string.token);
      this.#interest = key === undefined ? undefined : this.#frames.at(-1)?.interest?.members?.get(key);
    } else {
      this.#setToken(this.#string.token);
      this.#endValue(this.#position + index);
    }
    return index;
  }

  /** Only brackets count here, and strings, which may hold some. */
  #skip(piece: Buffer, from: number): number {
    for (let index = from; index < piece.length; index++) {
      const byte = piece[index];
      if (byte === ascii.QUOTE) {
        this.#inString = true;
        this.#string.start();
        return index + 1;
      }
      if (byte === ascii.OPEN_OBJECT || byte === ascii.OPEN_ARRAY) this.#depthBelow++;
      else if (byte === ascii.CLOSE_OBJECT || byte === ascii.CLOSE_ARRAY) {
        this.#depthBelow--;
        if (this.#depthBelow > 0) continue;
        this.#endValue(this.#position + index + 1);
        return index + 1;
      }
    }
    return piece.length;
  }

  #step(byte: number, position: number): void {
    if (this.#scalar !== undefined) {
      if (!ascii.endsScalar(byte)) {
        if (this.#scalar.length < MAX_TOKEN_BYTES) this.#scalar += String.fromCharCode(byte);
        return;
      }
      this.#setToken(this.#scalar);
      this.#scalar = undefined;
      this.#endValue(position);
    }
    if (byte === ascii.COMMA) this.#expectsKey = this.#frames.at(-1)?.isObject ?? false;
    else if (byte === ascii.COLON) this.#expectsKey = false;
    else if (byte === ascii.CLOSE_OBJECT || byte === ascii.CLOSE_ARRAY) this.#close(position + 1);
    else if (!ascii.isSpace(byte)) this.#startValue(byte, position);
  }

  #startValue(byte: number, position: number): void {
    if (byte === ascii.OPEN_OBJECT || byte === ascii.OPEN_ARRAY) {
      this.#open(byte === ascii.OPEN_OBJECT, position);
      return;
    }
    if (!this.#expectsKey) this.#valueStart = position;
    if (byte !== ascii.QUOTE) {
      this.#scalar = String.fromCharCode(byte);
      return;
    }
    this.#inString = true;
    if (this.#expectsKey || this.#interest?.token !== undefined) this.#string.startKept();
    else this.#string.start();
  }

  #open(isObject: boolean, start: number): void {
    const frame = this.#createFrame(isObject, start);
    if (frame === undefined) {
      this.#valueStart = start;
      this.#depthBelow = 1;
      return;
    }
    this.#frames.push(frame);
    this.#interest = undefined;
    this.#expectsKey = isObject;
  }

  #createFrame(isObject: boolean, start: number): Frame | undefined {
    const above = this.#frames.at(-1);
    if (isObject && above?.message === undefined) {
      return { interest: MESSAGE, message: createDraft(), isObject, start };
    }
    if (above === undefined) return { interest: undefined, message: undefined, isObject, start };
    if (!isObject || this.#interest?.members === undefined) return undefined;
    return { interest: this.#interest, message: above.message, isObject, start };
  }

  #close(end: number): void {
    const frame = this.#frames.pop();
    if (frame?.interest === MESSAGE && frame.message !== undefined) {
      if (this.outlines.length < MAX_MESSAGES)
        this.outlines.push({ span: { start: frame.start, end }, ...frame.message });
      else this.#hasMore = true;
    }
    this.#interest = frame?.interest;
    this.#valueStart = frame?.start ?? end;
    this.#endValue(end);
  }

  #setToken(token: string | undefined): void {
    const name = this.#interest?.token;
    const message = this.#frames.at(-1)?.message;
    if (name === undefined || message === undefined) return;
    if (token === undefined) delete message.tokens[name];
    else message.tokens[name] = token;
  }

  #endValue(end: number): void {
    const part = this.#interest?.part;
    this.#interest = undefined;
    const spans = part === undefined ? undefined : this.#frames.at(-1)?.message?.parts[part];
    if (spans === undefined) return;
    if (spans.length < MAX_PARTS) spans.push({ start: this.#valueStart, end });
    else this.#hasMore = true;
  }
}

/** A key may be written with escapes; one that is too long is none of ours. */
function readKey(token: string | undefined): string | undefined {
  if (token === undefined || !token.includes("\\")) return token?.slice(1, -1);
  return readText(token);
}
