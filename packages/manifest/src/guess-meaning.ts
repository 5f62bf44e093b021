import { DEFAULT_TOOL_OUTPUT_LIMITS, type Keep } from "@pod/tool-output-cap";
import { isKeep, isLimitNumber, KEEPS, type LimitUnit, MIN_TURN } from "./limit-values.js";
import { isNearMiss } from "./nearest-name.js";

/** The limit to begin with: in bytes the default; in tokens, which have no default, a sixth of a minute of 30,000. */
const FIRST_LIMIT: Readonly<Record<LimitUnit, number>> = {
  bytes: DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes,
  tokens: 5000,
};

/** The limit that was probably meant, or the one to begin with where nobody can tell. */
export function guessLimit(value: unknown, unit: LimitUnit): number {
  const meant = guessNumber(value, unit);
  return isLimitNumber(meant) ? meant : FIRST_LIMIT[unit];
}

/** What to write for a turn budget that is none: the one that was probably meant, or one to begin with, or nothing. */
export function suggestBudget(value: unknown, unit: LimitUnit, assign: (count: number) => string): string {
  const meant = guessNumber(value, unit);
  if (isLimitNumber(meant)) return assign(Math.max(meant, MIN_TURN[unit]));
  // Two full results: of the default limit, two thirds of the minute that it is made for, where history takes the third.
  return `${assign(2 * FIRST_LIMIT[unit])}, or leave it out for no budget`;
}

/** What a cut was probably meant to keep. Where nobody can tell it is the tail: the head needs no key. */
export function guessKeep(value: unknown): Keep {
  if (typeof value !== "string") return "tail";
  const word = value.trim().toLowerCase();
  return (isKeep(word) && word) || SYNONYMS.get(word) || KEEPS.find((keep) => isNearMiss(word, keep)) || "tail";
}

// "end" is no slip for "ends": it names the tail.
const SYNONYMS: ReadonlyMap<string, Keep> = new Map([
  ["start", "head"],
  ["beginning", "head"],
  ["first", "head"],
  ["top", "head"],
  ["end", "tail"],
  ["last", "tail"],
  ["bottom", "tail"],
  ["both", "ends"],
]);

/**
 * What was probably meant: `16384.0` and `"16384"` are 16384; `"32k"` and `"32 KiB"` are 32768 bytes, `"8k"` and
 * `"8k tokens"` are 8000 tokens.
 */
function guessNumber(value: unknown, unit: LimitUnit): number {
  if (typeof value === "bigint" || typeof value === "number") return Number(value);
  if (typeof value !== "string") return Number.NaN;
  const { pattern, thousand } = AMOUNTS[unit];
  const [, digits, factor = ""] = pattern.exec(value) ?? [];
  const factors: Readonly<Record<string, number>> = { "": 1, k: thousand, m: thousand * thousand };
  return Number(digits) * (factors[factor.toLowerCase()] ?? 1);
}

const AMOUNTS: Readonly<Record<LimitUnit, { readonly pattern: RegExp; readonly thousand: number }>> = {
  bytes: { pattern: /^(\d+) ?([km]?)(?:i?b)?$/i, thousand: 1024 },
  tokens: { pattern: /^(\d+) ?([km]?)(?: ?tokens?)?$/i, thousand: 1000 },
};
