import { describeFault, readObject } from "./describe-value.js";
import type { Keep, OutputLimit } from "./limits.js";
import { type CheckedLimit, readLimit } from "./read-limit.js";

/**
 * Counts the tokens of a text. What it says is rounded up, and taken as 0 at least and as the text's UTF-8 bytes at most; what is
 * no number, and an exception, as all its bytes.
 */
export interface TokenCounter {
  count(text: string): number;
}

/** What a cap needs beside the limit. */
export interface CapOptions {
  /** Needed where the limit has `maxTokens`. */
  readonly counter?: TokenCounter | undefined;
}

/** A limit in tokens, and who counts. */
export interface TokenCap {
  readonly maxBytes: number;
  readonly maxTokens: number;
  /** No result has more bytes, whatever the counter says. */
  readonly ceilingBytes: number;
  /** A text of so many bytes fits without a count: no token is shorter than a byte. */
  readonly certainBytes: number;
  readonly counter: TokenCounter;
}

/** Bytes of the ceiling for each token of the limit: English prose and source have about so many. */
const CEILING_BYTES_PER_TOKEN = 4;

const REMEDY = "{ counter: createUsageCounter() }";

/** The UTF-8 bytes that a limit holds a text to, whatever a counter says: `maxBytes`, and 4 for each token of `maxTokens`. */
export function ceilingOf({ maxBytes, maxTokens = maxBytes }: OutputLimit): number {
  return Math.min(maxBytes, CEILING_BYTES_PER_TOKEN * maxTokens);
}

/** A limit by its ceiling in bytes alone, for texts that nobody counts. */
export function readByCeiling(limit: OutputLimit): { readonly maxBytes: number; readonly keep: Keep } {
  const { maxBytes, maxTokens = maxBytes, keep = "head" } = readLimit(limit, "limit");
  return { maxBytes: ceilingOf({ maxBytes, maxTokens }), keep };
}

/** The limit in tokens, where there is one. A RangeError where nobody counts: it would not be kept. */
export function readTokenCap({ maxBytes, maxTokens }: CheckedLimit, options: CapOptions): TokenCap | undefined {
  if (maxTokens === undefined) return undefined;
  const { counter } = readObject(options, "options", REMEDY) as CapOptions;
  if (typeof counter?.count !== "function") {
    const expected = "a TokenCounter, since limit.maxTokens is set";
    throw new RangeError(describeFault("options.counter", expected, counter, REMEDY));
  }
  const ceilingBytes = ceilingOf({ maxBytes, maxTokens });
  return { maxBytes, maxTokens, ceilingBytes, certainBytes: Math.min(maxBytes, maxTokens), counter };
}

/**
 * What the cap makes of a count: an integer from 0 to the UTF-8 bytes of the text, `textBytes`. What is no number, or an
 * exception, counts as all of them.
 */
export function countTokens(counter: TokenCounter, text: string, textBytes: number): number {
  try {
    const count: unknown = counter.count(text);
    // `Math.ceil` takes null for 0, which would be no limit.
    const tokens = typeof count === "number" ? Math.ceil(count) : textBytes;
    return tokens <= textBytes ? Math.max(0, tokens) : textBytes;
  } catch {
    // Who fails to count has said nothing: the cap never throws for a text.
    return textBytes;
  }
}
