import { DEFAULT_TOOL_OUTPUT_LIMITS, type Keep } from "@pod/tool-output-cap";
import { isKeep, isMaxBytes, KEEPS, MIN_TURN_BYTES } from "./limit-values.js";
import { isNearMiss } from "./nearest-name.js";

/** The limit that was probably meant, or the default where nobody can tell. */
export function guessLimit(value: unknown): number {
  const meant = guessBytes(value);
  return isMaxBytes(meant) ? meant : DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes;
}

/** What to write for a turn budget that is none: the one that was probably meant, or one to begin with, or nothing. */
export function suggestBudget(value: unknown, assign: (maxBytes: number) => string): string {
  const meant = guessBytes(value);
  if (isMaxBytes(meant)) return assign(Math.max(meant, MIN_TURN_BYTES));
  // Two full results: two thirds of the minute that the default limit is made for, where history takes the third.
  return `${assign(2 * DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes)}, or leave it out for no budget`;
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

/** The bytes that were probably meant: `16384.0` and `"16384"` are 16384, `"32k"` and `"32 KiB"` are 32768. */
function guessBytes(value: unknown): number {
  if (typeof value === "bigint" || typeof value === "number") return Number(value);
  if (typeof value !== "string") return Number.NaN;
  const [, digits, unit = ""] = /^(\d+) ?([km]?)(?:i?b)?$/i.exec(value) ?? [];
  const factors: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 * 1024 };
  return Number(digits) * (factors[unit.toLowerCase()] ?? 1);
}
