import {
  DEFAULT_TOOL_OUTPUT_LIMITS,
  type OutputLimit,
  resolveLimit,
  type ToolOutputLimits,
} from "@pod/tool-output-cap";
import { copyText } from "./copy-text.js";
import { errorToText } from "./error-text.js";
import type { FaultList } from "./invalid-options-error.js";

/** Smaller budgets would leave a batch little more than its summaries. */
const LEAST_TURN_BYTES = 1_024;
const LEAST_TURN_TOKENS = 256;

/**
 * Checks limits, every entry of them, and copies them: what is done later to those handed in changes nothing. `place` is
 * where the caller wrote them.
 */
export function copyLimits(limits: ToolOutputLimits, place: string, faults: FaultList): ToolOutputLimits {
  if (typeof limits !== "object" || limits === null) {
    faults.expect(false, place, "an object with defaultMaxBytes and perTool", limits);
    return DEFAULT_TOOL_OUTPUT_LIMITS;
  }
  const { defaultMaxBytes, defaultMaxTokens, perTool, keep, turnMaxBytes, turnMaxTokens } = limits;
  checkBudget(turnMaxBytes, `${place}.turnMaxBytes`, LEAST_TURN_BYTES, "UTF-8 bytes", faults);
  checkBudget(turnMaxTokens, `${place}.turnMaxTokens`, LEAST_TURN_TOKENS, "tokens", faults);
  const defaults = {
    defaultMaxBytes,
    ...(defaultMaxTokens !== undefined && { defaultMaxTokens }),
    ...(keep !== undefined && { keep }),
  };
  const resolve = (toolName: string, table: ToolOutputLimits["perTool"]): OutputLimit | undefined => {
    try {
      return resolveLimit({ ...defaults, perTool: table }, toolName);
    } catch (error) {
      // The words are the cap's, and `limits` is what it calls its parameter.
      faults.add(errorToText(error).replace(/^\w+: limits/, () => place));
      return undefined;
    }
  };
  const byDefault = resolve("", {});
  // A table without entries is looked at as well: it may be a Map, none of whose entries would count.
  resolve("", perTool);
  // Well-formed, as the names of calls are.
  const entries = Object.keys(Object(perTool)).flatMap((toolName) => {
    const limit = resolve(toolName, perTool);
    return limit === undefined ? [] : [[copyText(toolName), limit] as const];
  });
  return {
    defaultMaxBytes: byDefault?.maxBytes ?? DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes,
    ...(byDefault?.maxTokens && { defaultMaxTokens: byDefault.maxTokens }),
    perTool: Object.fromEntries(entries),
    ...(byDefault?.keep && { keep: byDefault.keep }),
    ...(turnMaxBytes !== undefined && { turnMaxBytes }),
    ...(turnMaxTokens !== undefined && { turnMaxTokens }),
  };
}

function checkBudget(most: unknown, place: string, least: number, unit: string, faults: FaultList): void {
  const isBudget = Number.isInteger(most) && Number(most) >= least && Number(most) < 2 ** 31;
  faults.expect(most === undefined || isBudget, place, `an integer from ${least} to ${2 ** 31 - 1} (${unit})`, most);
}
