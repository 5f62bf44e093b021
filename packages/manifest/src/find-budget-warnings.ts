import { createWarning } from "./create-finding.js";
import type { Layer, LayerSource, StatedLimit } from "./layer.js";
import type { ManifestWarning } from "./manifest.js";
import { escapeUnprintable } from "./quote-text.js";

/**
 * What the reader should be told of a limit that no result can reach, because the turn budget is below it. It is told where
 * the limit is set; of the built-in default, which is nowhere in a file, where the budget is.
 */
export function findBudgetWarnings(
  limit: StatedLimit,
  source: LayerSource,
  budgetLayer: Layer,
  ceiling: number = Number.POSITIVE_INFINITY,
): readonly ManifestWarning[] {
  const { budget } = budgetLayer;
  if (budget === undefined || limit.maxBytes === undefined) return [];
  const maxBytes = Math.min(limit.maxBytes, ceiling);
  if (maxBytes <= budget.maxBytes) return [];
  if (source.layer === "built-in") {
    const expected = `at least ${maxBytes} bytes, the default limit of one result`;
    const { path, position } = budget;
    const details = { path, position, expected, received: String(budget.maxBytes) };
    const remedy = budget.assignDefault(budget.maxBytes);
    return [createWarning(budgetLayer, "limit-above-budget", { ...details, remedy })];
  }
  const { path, position } = limit;
  const expected = `at most ${budget.maxBytes} bytes, what ${showPlace(budgetLayer)} allows for a whole batch`;
  const lowered = maxBytes === limit.maxBytes ? "" : `, to which the ceiling lowers ${limit.maxBytes}`;
  const details = { path, position, expected, received: `${maxBytes}${lowered}` };
  const remedy = limit.assign(budget.maxBytes);
  return [createWarning(source, "limit-above-budget", { ...details, remedy })];
}

function showPlace({ shownFile, budget }: Layer): string {
  const line = budget?.position === undefined ? "" : `:${budget.position.line}`;
  return `${escapeUnprintable(shownFile)}${line}`;
}
