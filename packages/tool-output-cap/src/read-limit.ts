import { describeFault, readObject } from "./describe-value.js";
import { DEFAULT_TOOL_OUTPUT_LIMITS, type Keep } from "./limits.js";

/** A limit that has been read and checked. */
export interface CheckedLimit {
  readonly maxBytes: number;
  readonly maxTokens?: number | undefined;
  readonly keep?: Keep | undefined;
}

/** A limit, each field read once. Throws where there is none: nothing can switch the cap off by accident. */
export function readLimit(limit: unknown, place: string): CheckedLimit {
  const remedy = `{ maxBytes: ${DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes} }`;
  const { maxBytes, maxTokens, keep } = readObject(limit, place, remedy);
  return {
    maxBytes: readMaxBytes(maxBytes, `${place}.maxBytes`),
    maxTokens: readMaxTokens(maxTokens, `${place}.maxTokens`),
    keep: readKeep(keep, place),
  };
}

/** A limit in bytes, or a RangeError that names the place. */
export function readMaxBytes(maxBytes: unknown, place: string): number {
  if (isLimitFigure(maxBytes)) return maxBytes;
  const expected = "an integer from 1 to 2147483647 (UTF-8 bytes)";
  throw new RangeError(describeFault(place, expected, maxBytes, `${DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes}`));
}

/** A limit in tokens, or a RangeError that names the place; undefined where it is not named. */
export function readMaxTokens(maxTokens: unknown, place: string): number | undefined {
  if (maxTokens === undefined || isLimitFigure(maxTokens)) return maxTokens;
  throw new RangeError(describeFault(place, "an integer from 1 to 2147483647 (tokens)", maxTokens, "5000"));
}

/** What a cut keeps; undefined where it is not named. */
export function readKeep(keep: unknown, place: string): Keep | undefined {
  if (isKeep(keep)) return keep;
  throw new RangeError(describeFault(`${place}.keep`, '"head", "tail" or "ends"', keep, 'keep: "tail"'));
}

/** Whether a value can be the figure of a limit, in bytes or in tokens: an integer from 1 to 2^31 - 1. */
export function isLimitFigure(value: unknown): value is number {
  return isCount(value) && value >= 1 && value <= 2_147_483_647;
}

/** Whether a value can be a number of bytes or of tokens: a safe integer from 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Whether a value says what a cut keeps; to say nothing is to say something. */
export function isKeep(value: unknown): value is Keep | undefined {
  return value === undefined || value === "head" || value === "tail" || value === "ends";
}
