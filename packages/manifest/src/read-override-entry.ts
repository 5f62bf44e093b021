import { createFault } from "./create-finding.js";
import { describeOverride, isPlain, joinPath, OVERRIDE_SOURCE, quoteProperty } from "./describe-override.js";
import { EXPECTED_KEEP, expectLimit } from "./expectations.js";
import { guessKeep, guessLimit } from "./guess-meaning.js";
import type { StatedLimit } from "./layer.js";
import { completeLimit, isKeep, isLimitNumber } from "./limit-values.js";
import type { ManifestFault } from "./manifest-error.js";
import { joinNames, nearestName } from "./nearest-name.js";

/**
 * The entry of one tool in overrides: a number, which is bytes, or an object with `maxBytes`, `maxTokens` or `keep`, each
 * read once. Bytes beside tokens are their ceiling.
 */
export function readOverrideEntry(
  toolName: string,
  entry: unknown,
  path: string,
): StatedLimit | { readonly faults: readonly ManifestFault[] } {
  const entries = isPlain(entry) ? Object.entries(entry).filter(([, value]) => value !== undefined) : [];
  if (entries.length === 0) {
    const assign = (maxBytes: number) => `${quoteProperty(toolName)}: ${maxBytes}`;
    if (isLimitNumber(entry)) return { toolName, maxBytes: entry, path, assign };
    return { faults: [createEntryFault(path, entry, expectLimit("bytes"), assign(guessLimit(entry, "bytes")))] };
  }
  const faults = entries.flatMap(([key, value]) => findFault(joinPath(path, key), key, value));
  if (faults.length > 0) return { faults };
  const said: ReadonlyMap<string, unknown> = new Map(entries);
  const [maxBytes, maxTokens, keep] = [said.get("maxBytes"), said.get("maxTokens"), said.get("keep")];
  const limit = completeLimit(numberOf(maxBytes), numberOf(maxTokens)) ?? { maxBytes: undefined };
  const key = maxTokens === undefined ? keyOf(maxBytes) : "maxTokens";
  return {
    toolName,
    ...limit,
    keep: isKeep(keep) ? keep : undefined,
    path: joinPath(path, key),
    assign: (count) => `${key}: ${count}`,
  };
}

const ENTRY_KEYS = ["maxBytes", "maxTokens", "keep"] as const;

function keyOf(maxBytes: unknown): (typeof ENTRY_KEYS)[number] {
  return maxBytes === undefined ? "keep" : "maxBytes";
}

function numberOf(value: unknown): number | undefined {
  return isLimitNumber(value) ? value : undefined;
}

function findFault(path: string, key: string, value: unknown): readonly ManifestFault[] {
  if (key === "maxBytes" || key === "maxTokens") {
    if (isLimitNumber(value)) return [];
    const unit = key === "maxBytes" ? "bytes" : "tokens";
    return [createEntryFault(path, value, expectLimit(unit), `${key}: ${guessLimit(value, unit)}`)];
  }
  if (key === "keep") {
    if (isKeep(value)) return [];
    // Whoever writes a number means how much, not which part.
    const remedy = isLimitNumber(value) ? `maxBytes: ${value}` : `keep: "${guessKeep(value)}"`;
    return [createEntryFault(path, value, EXPECTED_KEEP, remedy)];
  }
  const details = { path, expected: joinNames(ENTRY_KEYS), received: "an unknown key" };
  return [createFault(OVERRIDE_SOURCE, "invalid-value", { ...details, remedy: nearestName(key, ENTRY_KEYS) })];
}

function createEntryFault(path: string, value: unknown, expected: string, remedy: string): ManifestFault {
  return createFault(OVERRIDE_SOURCE, "invalid-value", { path, expected, received: describeOverride(value), remedy });
}
