import { createWarning } from "./create-finding.js";
import type { Layer, LayerSource, StatedBudget, StatedLimit } from "./layer.js";
import { MAX_BYTES_PER_TOKEN, unitOf } from "./limit-values.js";
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
  if (maxBytes <= budget.maxBytes || (limit.maxTokens ?? Number.POSITIVE_INFINITY) <= countTokens(budget)) return [];
  if (source.layer === "built-in") return [createBudgetWarning(maxBytes, budget, budgetLayer)];

  const { path, position } = limit;
  const [unit, budgetUnit] = [unitOf(limit), unitOf(budget)];
  const most = unit === "bytes" ? budget.maxBytes : countTokens(budget);
  const place = showPlace(budgetLayer);
  const other = unit === budgetUnit ? "" : ` (${budget.maxTokens ?? budget.maxBytes} ${budgetUnit})`;
  const expected = `at most ${most} ${unit}, what ${place} allows for a whole batch${other}`;
  const isLowered = unit === "bytes" && maxBytes !== limit.maxBytes;
  const lowered = isLowered ? `, to which the ceiling lowers ${limit.maxBytes}` : "";
  const details = { path, position, expected, received: `${limit.maxTokens ?? maxBytes}${lowered}` };
  return [createWarning(source, "limit-above-budget", { ...details, remedy: limit.assign(most) })];
}

/** The most tokens that a counter can say of what a budget lets through: it never says more than bytes. */
function countTokens({ maxBytes, maxTokens }: StatedBudget): number {
  return Math.min(maxTokens ?? maxBytes, maxBytes);
}

function createBudgetWarning(defaultMaxBytes: number, budget: StatedBudget, source: LayerSource): ManifestWarning {
  const { path, position, maxBytes, maxTokens } = budget;
  const expected =
    maxTokens === undefined
      ? `at least ${defaultMaxBytes} bytes, the default limit of one result`
      : `at least ${Math.ceil(defaultMaxBytes / MAX_BYTES_PER_TOKEN)} tokens (${defaultMaxBytes} bytes, the default limit of one result)`;
  const count = maxTokens ?? maxBytes;
  const details = { path, position, expected, received: String(count), remedy: budget.assignDefault(count) };
  return createWarning(source, "limit-above-budget", details);
}

function showPlace({ shownFile, budget }: Layer): string {
  const line = budget?.position === undefined ? "" : `:${budget.position.line}`;
  return `${escapeUnprintable(shownFile)}${line}`;
}
