import type { Truncation } from "./cap-text.js";
import type { OutputLimit } from "./limits.js";

export function capToolResult<R extends { content?: string; truncation?: Truncation }>(
  _result: R,
  _limit: OutputLimit,
): R {
  throw new Error("not yet");
}
