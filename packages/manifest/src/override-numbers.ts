import { joinPath } from "./describe-override.js";
import type { StatedBudget, StatedLimit } from "./layer.js";
import { completeLimit } from "./limit-values.js";

/** The numbers of overrides that are right, outside `perTool`. */
export interface OverrideNumbers {
  readonly defaultMaxBytes?: number;
  readonly defaultMaxTokens?: number;
  readonly turnMaxBytes?: number;
  readonly turnMaxTokens?: number;
}

/** What the numbers say together: bytes beside tokens are their ceiling. */
export function completeOverrides(numbers: OverrideNumbers): {
  readonly limits: readonly StatedLimit[];
  readonly budget: StatedBudget | undefined;
} {
  const { defaultMaxBytes, defaultMaxTokens, turnMaxBytes, turnMaxTokens } = numbers;
  const limit = completeLimit(defaultMaxBytes, defaultMaxTokens);
  const budget = completeLimit(turnMaxBytes, turnMaxTokens);
  const defaultKey = defaultMaxTokens === undefined ? "defaultMaxBytes" : "defaultMaxTokens";
  const [turnKey, besideTurn] =
    turnMaxTokens === undefined ? ["turnMaxBytes", "defaultMaxBytes"] : ["turnMaxTokens", "defaultMaxTokens"];
  return {
    limits: limit === undefined ? [] : [{ toolName: undefined, ...limit, ...statementOf(defaultKey) }],
    budget: budget && {
      ...budget,
      path: joinPath("overrides", turnKey),
      assignDefault: (count) => `${besideTurn}: ${count}`,
    },
  };
}

function statementOf(key: string) {
  return { path: joinPath("overrides", key), assign: (count: number) => `${key}: ${count}` };
}
