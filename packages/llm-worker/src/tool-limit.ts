import { type OutputLimit, resolveLimit, type TokenCounter, type ToolOutputLimits } from "@pod/tool-output-cap";
import { isUsageCounter } from "./is-usage-counter.js";

/** The limits of all tools, and who counts where they are in tokens. */
export interface CountedLimits extends ToolOutputLimits {
  readonly counter: TokenCounter;
}

/** The limit of one tool, and who counts its results. */
export interface ToolLimit extends OutputLimit {
  readonly counter?: TokenCounter;
}

/** The limit of one tool. A counter that knows tools apart counts for this one. */
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

/** The same limits in bytes alone: what history holds was counted when it came in. */
export function inBytes({ defaultMaxTokens: _, turnMaxTokens: __, ...limits }: CountedLimits): CountedLimits {
  const perTool = Object.entries(limits.perTool).map(([toolName, limit]) => {
    if (typeof limit === "number") return [toolName, limit] as const;
    const { maxTokens, ...bytes } = limit;
    return [toolName, bytes] as const;
  });
  return { ...limits, perTool: Object.fromEntries(perTool) };
}
