import { BUILT_IN_LAYER } from "./built-in-layer.js";
import { findBudgetWarnings } from "./find-budget-warnings.js";
import { findLimitWarnings } from "./find-limit-warnings.js";
import type { Layer } from "./layer.js";
import type { ManifestWarning } from "./manifest.js";

/** What is odd in layers, faulty ones too. */
export function findWarnings(layers: readonly Layer[], ceiling?: number): readonly ManifestWarning[] {
  const all = [BUILT_IN_LAYER, ...layers];
  // What is overruled bounds nothing, so that a budget does not have to be above it.
  const inForce = new Map(all.flatMap(({ limits }) => limits.map((limit) => [limit.toolName, limit])));
  const budgetLayer = layers.findLast(({ budget }) => budget !== undefined);
  return all.flatMap((layer) => [
    ...layer.warnings,
    ...layer.limits.flatMap((limit) => {
      const isInForce = inForce.get(limit.toolName) === limit;
      // An overruled built-in default is nothing that anybody could mend.
      if (layer === BUILT_IN_LAYER && !isInForce) return [];
      const ofBudget = isInForce && budgetLayer ? findBudgetWarnings(limit, layer, budgetLayer, ceiling) : [];
      return [...findLimitWarnings(limit, layer, ceiling), ...ofBudget];
    }),
  ]);
}
