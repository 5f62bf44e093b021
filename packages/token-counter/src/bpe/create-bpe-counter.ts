import cl100kRanks from "gpt-tokenizer/bpeRanks/cl100k_base";
import o200kRanks from "gpt-tokenizer/bpeRanks/o200k_base";
import { GptEncoding } from "gpt-tokenizer/GptEncoding";
import { countInPieces } from "./count-in-pieces.js";
import { createShortTextCache } from "./short-text-cache.js";

/** An encoding whose table gpt-tokenizer has. `o200k_base` is that of GPT-4o and later, `cl100k_base` that of GPT-4 and GPT-3.5. */
export type BpeEncoding = "o200k_base" | "cl100k_base";

/** Counts tokens by byte pairs. */
export interface BpeCounter {
  /**
   * Tokens of a text, an integer. Exact, except that an unbroken run of more than 1 KB (letters, blanks or signs without
   * anything else between them) is counted in pieces of 1 KB, with what is lost at each cut and a token to spare: at least
   * as many in all that was tried. What looks like a special token is text like any other, and a lone surrogate counts as
   * U+FFFD. Never throws for a string; its time grows with the bytes.
   */
  count(text: string): number;
}

/** Words whose tokens are remembered during one count. */
const CACHED_WORDS = 1_000;

/**
 * A counter for the models of one encoding. It needs `gpt-tokenizer` beside this package; importing it loads the tables of
 * both encodings, 3.5 MB of source. Nothing of a text is kept longer than the count of it, but for 64 KiB of what unbroken
 * runs consist of.
 *
 * @throws TypeError where there is no such encoding.
 */
export function createBpeCounter(encoding: BpeEncoding): BpeCounter {
  if (!Object.hasOwn(RANKS, encoding)) throw new TypeError(describeWrong(encoding));
  // An instance of our own: what is cached in it, and when it is cleared, is nobody else's business.
  const tokenizer = GptEncoding.getEncodingApi(encoding, () => RANKS[encoding]);
  tokenizer.setMergeCacheSize(CACHED_WORDS);
  const options = { disallowedSpecial: new Set<string>() };
  const countTokens = createShortTextCache((text) => tokenizer.countTokens(text, options));
  return {
    count: (text) => {
      try {
        return countInPieces(text.toWellFormed(), countTokens);
      } finally {
        // Its keys are slices, which keep the whole text alive.
        tokenizer.clearMergeCache();
      }
    },
  };
}

const RANKS = { o200k_base: o200kRanks, cl100k_base: cl100kRanks };

function describeWrong(encoding: unknown): string {
  const names = Object.keys(RANKS).map((name) => JSON.stringify(name));
  const received = typeof encoding === "string" ? JSON.stringify(encoding.slice(0, 80)) : typeof encoding;
  return `createBpeCounter: expected ${names.join(" or ")}, received ${received}. Write: createBpeCounter(${names[0]})`;
}
