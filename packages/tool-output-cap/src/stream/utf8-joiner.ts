import { isUtf8 } from "#is-utf8";
import { byteLength } from "#utf8";
import { decodeUtf8, encodeUtf8 } from "./utf8-codec.js";
import { countOpenBytes, isContinuation, sequenceBytes } from "./utf8-sequences.js";

/** Where the joined text goes. */
export interface Utf8Sink {
  /** Whether nothing more is kept: then the bytes need not be made, only counted. */
  readonly isFull: boolean;
  count(bytes: number): void;
  /** Well-formed UTF-8, in memory that is not the sink's to keep. */
  push(bytes: Uint8Array): void;
}

// What has to be converted is converted in pieces, so that a chunk of any size takes some kilobytes only.
const PIECE = 65_536;
const REPLACEMENT = encodeUtf8("\uFFFD");

/** Joins chunks, bytes and strings, to one well-formed text in UTF-8. What can go through as it is, does. */
export class Utf8Joiner {
  readonly #sink: Utf8Sink;
  /** The first bytes of a sequence whose end is still to come. */
  readonly #open = new Uint8Array(4);
  #openBytes = 0;
  /** The last unit of a string, whose pair is still to come. */
  #highSurrogate = "";
  /** Whether a BOM would be the first of a run of bytes. */
  #isAtStart = true;

  constructor(sink: Utf8Sink) {
    this.#sink = sink;
  }

  writeBytes(bytes: Uint8Array): void {
    let from = this.#continueSequence(bytes);
    while (from < bytes.length) {
      const piece = bytes.subarray(from, from + PIECE);
      const openBytes = countOpenBytes(piece);
      this.#push(piece.subarray(0, piece.length - openBytes));
      from += piece.length - openBytes;
      if (from + openBytes < bytes.length) continue;
      this.#open.set(piece.subarray(piece.length - openBytes));
      this.#openBytes = openBytes;
      return;
    }
  }

  writeText(text: string): void {
    this.#endSequence();
    this.#isAtStart = true;
    for (let from = 0; from < text.length; from += PIECE) {
      const piece = this.#highSurrogate + text.slice(from, from + PIECE);
      this.#highSurrogate = isHighSurrogate(piece.charCodeAt(piece.length - 1)) ? piece.slice(-1) : "";
      const whole = piece.slice(0, piece.length - this.#highSurrogate.length);
      if (this.#sink.isFull) this.#sink.count(byteLength(whole));
      else this.#sink.push(encodeUtf8(whole));
    }
  }

  /** Nothing more comes: what is still open is ill-formed. */
  end(): void {
    this.#endSequence();
    this.#endPair();
  }

  /** Gives the open sequence what belongs to it, and says where in the bytes that ends. */
  #continueSequence(bytes: Uint8Array): number {
    let from = 0;
    while (this.#openBytes > 0 && from < bytes.length) {
      const byte = bytes[from];
      if (byte !== undefined && isContinuation(byte)) {
        this.#open[this.#openBytes++] = byte;
        from++;
        if (this.#openBytes < sequenceBytes(this.#open[0])) continue;
      }
      this.#endSequence();
    }
    return from;
  }

  #endSequence(): void {
    const openBytes = this.#openBytes;
    this.#openBytes = 0;
    this.#push(this.#open.subarray(0, openBytes));
  }

  #endPair(): void {
    if (this.#highSurrogate === "") return;
    this.#highSurrogate = "";
    this.#sink.push(REPLACEMENT);
  }

  /** Takes bytes that begin and end between sequences. */
  #push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const text = this.#isAtStart && startsWithBom(bytes) ? bytes.subarray(3) : bytes;
    this.#isAtStart = false;
    if (text.length === 0) return;
    this.#endPair();
    // A copy, because some decoders refuse memory that is shared.
    this.#sink.push(isUtf8(text) ? text : encodeUtf8(decodeUtf8(new Uint8Array(text))));
  }
}

function startsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
