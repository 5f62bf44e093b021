import { type OutputLimit, resolveLimit, type TokenCounter, type ToolOutputLimits } from "@pod/tool-output-cap";
import { ceilingOf } from "@pod/tool-output-cap/chokepoint";
import { isUsageCounter } from "./is-usage-counter.js";

/** The limits of all tools, and who counts where they are in tokens. */
export interface CountedLimits extends ToolOutputLimits {
  readonly counter: TokenCounter;
}

/** The limit of one tool, and who counts its results. */
export interface ToolLimit extends OutputLimit {
  readonly counter?: TokenCounter;
}

/**
 * The limit of one tool. A counter that knows tools apart counts for this one, and is asked for that within each count: what it
 * throws is the cap's to catch.
 */
export function limitFor(limits: CountedLimits, toolName: string): ToolLimit {
  const { counter } = limits;
  const ofTool = isUsageCounter(counter) ? { count: (text: string) => counter.forTool(toolName).count(text) } : counter;
  return { ...resolveLimit(limits, toolName), counter: ofTool };
}

/** The smaller of two limits, in bytes and in tokens. */
export function smallerLimit(left: ToolLimit, right: ToolLimit): ToolLimit {
  const { maxTokens, ...smaller } = right.maxBytes < left.maxBytes ? right : left;
  const tokens = [left.maxTokens, right.maxTokens].filter((each) => each !== undefined);
  return { ...smaller, ...(tokens.length > 0 && { maxTokens: Math.min(...tokens) }) };
}

/** The same limits by their ceilings in bytes: what history holds was counted when it came in. */
export function inBytes({ defaultMaxTokens, turnMaxTokens: _, ...limits }: CountedLimits): CountedLimits {
  const byDefault = { maxBytes: limits.defaultMaxBytes, ...(defaultMaxTokens && { maxTokens: defaultMaxTokens }) };
  const perTool = Object.entries(limits.perTool).map(([toolName, limit]) => {
    return [toolName, typeof limit === "number" ? limit : atCeiling(limit)] as const;
  });
  return { ...limits, defaultMaxBytes: ceilingOf(byDefault), perTool: Object.fromEntries(perTool) };
}

/** A limit by its ceiling in bytes alone. */
function atCeiling<L extends OutputLimit>(limit: L): Omit<L, "maxTokens"> {
  const { maxTokens: _, ...others } = limit;
  return { ...others, maxBytes: ceilingOf(limit) };
}
