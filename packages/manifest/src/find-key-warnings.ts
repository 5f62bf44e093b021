import type { TomlTable } from "smol-toml";
import { createWarning } from "./create-finding.js";
import type { LayerSource } from "./layer.js";
import type { LimitUnit } from "./limit-values.js";
import type { LocatedKeys } from "./locate-keys.js";
import type { ManifestWarning } from "./manifest.js";
import { isNearMiss, joinNames, nearestName } from "./nearest-name.js";
import { quoteKey, quotePath } from "./quote-text.js";
import { isTable } from "./read-toml.js";

const SECTION = "worker.tool_output";
const KNOWN_KEYS = [
  "default_max_bytes",
  "default_max_tokens",
  "turn_max_bytes",
  "turn_max_tokens",
  "keep",
  "per_tool",
] as const;

/** The keys that have no meaning, and look as if they were meant to have one, in a file of a unit. */
export function findKeyWarnings(
  tables: TomlTable,
  unit: LimitUnit,
  source: LayerSource,
  located: LocatedKeys,
): readonly ManifestWarning[] {
  const worker = isTable(tables.worker) ? tables.worker : {};
  const section = isTable(worker.tool_output) ? worker.tool_output : {};
  return [
    ...Object.keys(tables).flatMap((key) => findNearMiss([key], source, located)),
    ...Object.keys(worker).flatMap((key) => findNearMiss(["worker", key], source, located)),
    ...Object.keys(section).flatMap((key) => findUnknownKey(key, unit, source, located)),
  ];
}

function findNearMiss(keys: readonly string[], source: LayerSource, located: LocatedKeys): readonly ManifestWarning[] {
  const path = quotePath(keys);
  if (path === "worker" || path === SECTION) return [];
  const key = keys.at(-1) ?? "";
  const isNearWorker = keys.length === 1 && isNearMiss(key, "worker");
  if (!isNearWorker && !isNearMiss(key, "tool_output") && !isNearMiss(key, SECTION)) return [];
  const expected = isNearWorker ? "worker" : SECTION;
  const received = "a key that is nearly the same, and is ignored";
  const position = positionOf(keys, located);
  const details = { path, position, expected, received, remedy: `[${SECTION}]` };
  return [createWarning(source, "near-miss", details, expected)];
}

function findUnknownKey(
  key: string,
  unit: LimitUnit,
  source: LayerSource,
  located: LocatedKeys,
): readonly ManifestWarning[] {
  if (KNOWN_KEYS.some((name) => name === key)) return [];
  // Of names that are as near the first, so that a limit is meant in the unit of the file.
  const name = nearestName(key, ["per_tool", `default_max_${unit}`, `turn_max_${unit}`, ...KNOWN_KEYS]);
  const details = {
    path: `${SECTION}.${quoteKey(key)}`,
    position: positionOf(["worker", "tool_output", key], located),
    expected: joinNames(KNOWN_KEYS),
    received: "an unknown key, which is ignored",
    remedy: name,
  };
  return [createWarning(source, "unknown-key", details, `${SECTION}.${name}`)];
}

function positionOf(keys: readonly string[], located: LocatedKeys) {
  const place = located.find(keys);
  return place && located.toPosition(place.keyOffset);
}
