import { KEEPS, MAX_LIMIT_BYTES, MIN_TURN_BYTES } from "./limit-values.js";
import { joinNames } from "./nearest-name.js";

/** What a limit has to be, in words. */
export const EXPECTED_LIMIT: string = `an integer from 1 to ${MAX_LIMIT_BYTES} (bytes)`;

/** What a turn budget has to be, in words. */
export const EXPECTED_BUDGET: string = `an integer from ${MIN_TURN_BYTES} to ${MAX_LIMIT_BYTES} (bytes)`;

/** What a `keep` has to be, in words. */
export const EXPECTED_KEEP: string = joinNames(KEEPS.map((keep) => `"${keep}"`));
