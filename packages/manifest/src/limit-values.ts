import type { Keep } from "@pod/tool-output-cap";

/** The largest limit in bytes: what a 32-bit signed integer holds, so that no arithmetic on sizes is ever inexact. */
export const MAX_LIMIT_BYTES = 2_147_483_647;

/** The smallest turn budget in bytes: below it, a few summaries would leave nothing to share. */
export const MIN_TURN_BYTES = 1024;

/** What a cut may keep of a text. */
export const KEEPS: readonly ["head", "tail", "ends"] = ["head", "tail", "ends"];

/** Whether a value says what a cut keeps. */
export function isKeep(value: unknown): value is Keep {
  return KEEPS.some((keep) => keep === value);
}

/** Whether a number is a limit in bytes. */
export function isMaxBytes(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT_BYTES;
}

/** Whether a number is a turn budget in bytes. */
export function isTurnMaxBytes(value: unknown): value is number {
  return isMaxBytes(value) && value >= MIN_TURN_BYTES;
}

/** Whether a value of the parser's is a limit: an integer from 1 to 2^31 - 1. */
export function isLimit(value: unknown): value is bigint {
  return typeof value === "bigint" && value >= 1n && value <= BigInt(MAX_LIMIT_BYTES);
}
