import { KEEPS, type LimitUnit, MAX_LIMIT, MIN_TURN } from "./limit-values.js";
import { joinNames } from "./nearest-name.js";

/** What a limit has to be, in words. */
export function expectLimit(unit: LimitUnit): string {
  return `an integer from 1 to ${MAX_LIMIT} (${unit})`;
}

/** What a turn budget has to be, in words. */
export function expectBudget(unit: LimitUnit): string {
  return `an integer from ${MIN_TURN[unit]} to ${MAX_LIMIT} (${unit})`;
}

/** What a `keep` has to be, in words. */
export const EXPECTED_KEEP: string = joinNames(KEEPS.map((keep) => `"${keep}"`));
