import type { Keep } from "@pod/tool-output-cap";

/** What a limit counts. The keys of a file and of overrides end in it. */
export type LimitUnit = "bytes" | "tokens";

/** The largest limit in either unit: what a 32-bit signed integer holds, so that no arithmetic on sizes is ever inexact. */
export const MAX_LIMIT = 2_147_483_647;

/** The bytes that a limit in tokens allows for each at most, whatever a counter says: hardly any text has more in one. */
export const MAX_BYTES_PER_TOKEN = 4;

/**
 * The smallest turn budget: below it, a few summaries would leave nothing to share. In tokens it is the one whose bytes
 * are the other's.
 */
export const MIN_TURN: Readonly<Record<LimitUnit, number>> = { bytes: 1024, tokens: 1024 / MAX_BYTES_PER_TOKEN };

/** What a cut may keep of a text. */
export const KEEPS: readonly ["head", "tail", "ends"] = ["head", "tail", "ends"];

/** A limit as it is handed on: in tokens where it has any, its bytes then the ceiling. */
export interface CompleteLimit {
  readonly maxBytes: number;
  readonly maxTokens?: number;
}

/** A limit with its ceiling: one in tokens has four bytes for each, or fewer where code says so. Undefined where there is neither. */
export function completeLimit(maxBytes: number | undefined, maxTokens: number | undefined): CompleteLimit | undefined {
  if (maxTokens !== undefined) {
    return { maxBytes: Math.min(maxBytes ?? MAX_LIMIT, MAX_BYTES_PER_TOKEN * maxTokens), maxTokens };
  }
  return maxBytes === undefined ? undefined : { maxBytes };
}

/** The unit in which a limit was set. */
export function unitOf({ maxTokens }: { readonly maxTokens?: number | undefined }): LimitUnit {
  return maxTokens === undefined ? "bytes" : "tokens";
}

/** Whether a value says what a cut keeps. */
export function isKeep(value: unknown): value is Keep {
  return KEEPS.some((keep) => keep === value);
}

/** Whether a number is a limit, in either unit. */
export function isLimitNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT;
}

/** Whether a number is a turn budget. */
export function isTurnNumber(value: unknown, unit: LimitUnit): value is number {
  return isLimitNumber(value) && value >= MIN_TURN[unit];
}

/** Whether a value of the parser's is a limit: an integer from 1 to 2^31 - 1. */
export function isLimit(value: unknown): value is bigint {
  return typeof value === "bigint" && value >= 1n && value <= BigInt(MAX_LIMIT);
}
