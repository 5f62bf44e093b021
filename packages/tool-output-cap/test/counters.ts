import { countUtf8Bytes } from "@pod/test-harness/laws";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { TokenCounter } from "../src/index.js";

/** The incident's density. Never falls where text is added. */
export const byBytes: TokenCounter = { count: (text) => countUtf8Bytes(text) / 1.8 };

const plain = { disallowedSpecial: new Set<string>() };

/** A real tokenizer's: falls now and then where a letter is added. */
export const byPairs: TokenCounter = { count: (text) => countTokens(text, plain) };

/** Never falls either, and is far from linear. */
export const bySpaces: TokenCounter = {
  count: (text) => 3 * text.split(/\s/).length - 3 + text.replace(/[^\u0080-\uffff]/g, "").length,
};

/** Another number for each text, from 0 to twice its bytes: what is shorter may have more. */
export const atRandom: TokenCounter = {
  count: (text) => {
    let hash = 7;
    for (let index = 0; index < text.length; index++) hash = (hash * 31 + text.charCodeAt(index)) % 1_000_003;
    return hash % (2 * countUtf8Bytes(text) + 1);
  },
};

/** What no counter should say. */
export const nonsense: readonly (readonly [string, TokenCounter])[] = [
  ["0", { count: () => 0 }],
  ["NaN", { count: () => Number.NaN }],
  ["1e9", { count: () => 1e9 }],
  ["-1", { count: () => -1 }],
  ["Infinity", { count: () => Number.POSITIVE_INFINITY }],
  ["a bigint", counterOf(5n)],
  ["nothing", counterOf(undefined)],
  ["null", counterOf(null)],
  ["a text", counterOf("5")],
  [
    "nothing, but throws",
    {
      count: () => {
        throw new Error("no table");
      },
    },
  ],
];

function counterOf(value: unknown): TokenCounter {
  return { count: () => value as number };
}

/** What the cap makes of what a counter says. */
export function clampCount(counter: TokenCounter, text: string): number {
  const bytes = countUtf8Bytes(text);
  let tokens: unknown;
  try {
    tokens = counter.count(text);
  } catch {
    return bytes;
  }
  if (typeof tokens !== "number" || Number.isNaN(tokens)) return bytes;
  return Math.min(bytes, Math.max(0, Math.ceil(tokens)));
}

/** A counter that tells which texts it was given. */
export function recordCounts(counter: TokenCounter): TokenCounter & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    count: (text) => {
      texts.push(text);
      return counter.count(text);
    },
  };
}
