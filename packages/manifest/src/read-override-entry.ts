import { createFault } from "./create-finding.js";
import { describeOverride, isPlain, joinPath, OVERRIDE_SOURCE, quoteProperty } from "./describe-override.js";
import { EXPECTED_KEEP, EXPECTED_LIMIT } from "./expectations.js";
import { guessKeep, guessLimit } from "./guess-meaning.js";
import type { StatedLimit } from "./layer.js";
import { isKeep, isMaxBytes } from "./limit-values.js";
import type { ManifestFault } from "./manifest-error.js";
import { joinNames, nearestName } from "./nearest-name.js";

/** The entry of one tool in overrides: a number, or an object with `maxBytes`, `keep` or both, each read once. */
export function readOverrideEntry(
  toolName: string,
  entry: unknown,
  path: string,
): StatedLimit | { readonly faults: readonly ManifestFault[] } {
  const entries = isPlain(entry) ? Object.entries(entry).filter(([, value]) => value !== undefined) : [];
  if (entries.length === 0) {
    const assign = (maxBytes: number) => `${quoteProperty(toolName)}: ${maxBytes}`;
    if (isMaxBytes(entry)) return { toolName, maxBytes: entry, path, assign };
    return { faults: [createEntryFault(path, entry, EXPECTED_LIMIT, assign(guessLimit(entry)))] };
  }
  const faults = entries.flatMap(([key, value]) => findFault(joinPath(path, key), key, value));
  if (faults.length > 0) return { faults };
  const { maxBytes, keep }: { readonly maxBytes?: unknown; readonly keep?: unknown } = Object.fromEntries(entries);
  return {
    toolName,
    maxBytes: isMaxBytes(maxBytes) ? maxBytes : undefined,
    keep: isKeep(keep) ? keep : undefined,
    path: joinPath(path, maxBytes === undefined ? "keep" : "maxBytes"),
    assign: (bytes) => `maxBytes: ${bytes}`,
  };
}

const ENTRY_KEYS = ["maxBytes", "keep"] as const;

function findFault(path: string, key: string, value: unknown): readonly ManifestFault[] {
  if (key === "maxBytes") {
    if (isMaxBytes(value)) return [];
    return [createEntryFault(path, value, EXPECTED_LIMIT, `maxBytes: ${guessLimit(value)}`)];
  }
  if (key === "keep") {
    if (isKeep(value)) return [];
    // Whoever writes a number means how much, not which part.
    const remedy = isMaxBytes(value) ? `maxBytes: ${value}` : `keep: "${guessKeep(value)}"`;
    return [createEntryFault(path, value, EXPECTED_KEEP, remedy)];
  }
  const details = { path, expected: joinNames(ENTRY_KEYS), received: "an unknown key" };
  return [createFault(OVERRIDE_SOURCE, "invalid-value", { ...details, remedy: nearestName(key, ENTRY_KEYS) })];
}

function createEntryFault(path: string, value: unknown, expected: string, remedy: string): ManifestFault {
  return createFault(OVERRIDE_SOURCE, "invalid-value", { path, expected, received: describeOverride(value), remedy });
}
