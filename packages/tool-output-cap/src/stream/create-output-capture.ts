import { describeFault } from "../describe-value.js";
import type { OutputLimit } from "../limits.js";
import { readByCeiling } from "../token-cap.js";
import type { CappedText } from "../truncation.js";
import { KeptBytes } from "./kept-bytes.js";
import { Utf8Joiner } from "./utf8-joiner.js";

/** An output that is still being produced, and of which only what `finish` needs is held. */
export interface OutputCapture {
  /**
   * Takes the next chunk: bytes as a `Uint8Array`, UTF-8, cut anywhere; or a string. Nothing of a chunk is kept but copies, so
   * its memory may be used again afterwards.
   *
   * @throws TypeError for any other chunk; Error after `finish`.
   */
  write(chunk: Uint8Array | string): void;
  /**
   * The text of all chunks as `capText` gives it at the limit of the capture. A second call returns the same object. The engine's
   * own error comes where a text within the limit is longer than the longest string that it can make.
   */
  finish(): CappedText;
}

/**
 * Caps an output while it is being produced: it holds at most twice `limit.maxBytes` (once, unless `keep` is `"ends"`) and
 * some kilobytes, however much is written.
 *
 * Bytes are decoded as `TextDecoder` does: sequences may be split over chunks, what is ill-formed becomes U+FFFD, and a BOM
 * at the beginning goes. Strings are joined as they are, so that a surrogate pair may be split over two of them. Where bytes
 * and strings are mixed, a string (an empty one too) ends the bytes before it: a sequence that is still open becomes one
 * U+FFFD, and the bytes that follow begin anew, with a BOM of their own perhaps.
 *
 * `limit.maxTokens` counts as 4 bytes each: what is still being produced is counted by nobody.
 *
 * @throws RangeError where `limit.maxBytes` is not an integer from 1 to 2,147,483,647, or `limit.keep` is none of the three;
 * TypeError for a limit that is not an object.
 */
export function createOutputCapture(limit: OutputLimit): OutputCapture {
  const { maxBytes, keep } = readByCeiling(limit);
  const kept = new KeptBytes(maxBytes, keep);
  // What is going on, and then the result: a capture that lives on holds nothing else.
  let state: Utf8Joiner | CappedText = new Utf8Joiner(kept);
  return {
    write(chunk) {
      if (!(state instanceof Utf8Joiner)) {
        throw new Error(
          "write: expected no chunk after finish(). Write: createOutputCapture(limit), for another output",
        );
      }
      if (typeof chunk === "string") state.writeText(chunk);
      else if (isBytes(chunk)) state.writeBytes(chunk);
      else {
        const remedy = "new Uint8Array(chunk), or String(chunk)";
        throw new TypeError(describeFault("chunk", "a Uint8Array or a string", chunk, remedy));
      }
    },
    finish() {
      if (state instanceof Utf8Joiner) {
        state.end();
        state = kept.toCappedText();
      }
      return state;
    },
  };
}

/** Of this realm or of another: a test runner's and a worker's arrays are instances of their own classes. */
function isBytes(chunk: unknown): chunk is Uint8Array {
  return ArrayBuffer.isView(chunk) && Object.prototype.toString.call(chunk) === "[object Uint8Array]";
}
