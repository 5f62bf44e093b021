import type { TomlTable } from "smol-toml";
import { type Entry, readEntry } from "./entry-schema.js";
import { readFileUnit } from "./file-unit.js";
import { findFaults } from "./find-faults.js";
import { findKeyWarnings } from "./find-key-warnings.js";
import { findUnitFaults } from "./find-unit-faults.js";
import type { Layer, LayerSource, StatedBudget, StatedKeep, StatedLimit } from "./layer.js";
import { completeLimit, isKeep, isLimit, isTurnNumber, type LimitUnit } from "./limit-values.js";
import { type LocatedKeys, locateKeys } from "./locate-keys.js";
import { ManifestError, type ManifestFault } from "./manifest-error.js";
import { quoteKey, quotePath } from "./quote-text.js";
import { isTable, readToml } from "./read-toml.js";
import { manifestSchema } from "./schema.js";

const SECTION = ["worker", "tool_output"] as const;

/** Checks the text of a manifest by itself, so that no fault hides behind a layer that overrules it. */
export function readTomlLayer(toml: string, source: LayerSource): Layer {
  let tables: TomlTable;
  try {
    tables = readToml(toml, source);
  } catch (error) {
    if (error instanceof ManifestError) return { ...source, limits: [], warnings: [], error };
    throw error;
  }
  const located = locateKeys(toml);
  const worker = isTable(tables.worker) ? tables.worker : {};
  const section = isTable(worker.tool_output) ? worker.tool_output : {};
  const unit = readFileUnit(section);
  return {
    ...source,
    limits: readLimits(section, unit, located),
    budget: readBudget(section, unit, located),
    keep: readKeep(section, located),
    warnings: findKeyWarnings(tables, unit, source, located),
    error: findError(tables, section, source, located),
  };
}

function findError(
  tables: TomlTable,
  section: TomlTable,
  source: LayerSource,
  located: LocatedKeys,
): ManifestError | undefined {
  // The entry of a tool may have several issues, and is looked at once, as a whole.
  const paths = manifestSchema.safeParse(tables).error?.issues.map(({ path }) => path.slice(0, 4).map(String)) ?? [];
  const distinct = new Map(paths.map((path) => [JSON.stringify(path), path]));
  const faults = Array.from(distinct.values()).flatMap((path) => findFaults(tables, path, source, located));
  const ofUnits = findUnitFaults(section, source, located);
  // What has to be written in another unit is not mended in its own first.
  const others = faults.filter(({ path }) => ofUnits.every((fault) => fault.path !== path));
  const all = [...others, ...ofUnits].sort(compareByPlace);
  return all.length === 0 ? undefined : new ManifestError("invalid-value", all);
}

function compareByPlace(one: ManifestFault, other: ManifestFault): number {
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}

function readLimits(section: TomlTable, unit: LimitUnit, located: LocatedKeys): readonly StatedLimit[] {
  const perTool = isTable(section.per_tool) ? section.per_tool : {};
  const defaultKey = `default_max_${unit}`;
  // As the entry of a tool: what is no limit is no entry.
  const ofDefault = isLimit(section[defaultKey]) ? readEntry(section[defaultKey], unit) : undefined;
  return [
    ...createLimit(undefined, ofDefault, [...SECTION, defaultKey], located),
    ...Object.entries(perTool).flatMap(([toolName, value]) => {
      const keys = [...SECTION, "per_tool", toolName];
      const entry = readEntry(value, unit);
      return createLimit(toolName, entry, isTable(value) ? [...keys, keyOf(entry)] : keys, located);
    }),
  ];
}

function keyOf({ maxBytes, maxTokens }: Entry = {}): string {
  if (maxTokens !== undefined) return "max_tokens";
  return maxBytes === undefined ? "keep" : "max_bytes";
}

function createLimit(
  toolName: string | undefined,
  entry: Entry | undefined,
  keys: readonly string[],
  located: LocatedKeys,
): readonly StatedLimit[] {
  if (entry === undefined) return [];
  const { maxBytes, maxTokens, keep } = entry;
  const limit = completeLimit(maxBytes, maxTokens) ?? { maxBytes };
  const key = quoteKey(keys.at(-1) ?? "");
  const assign = (count: number) => `${key} = ${count}`;
  return [{ toolName, ...limit, keep, ...placeOf(keys, located), assign }];
}

function readBudget(section: TomlTable, unit: LimitUnit, located: LocatedKeys): StatedBudget | undefined {
  const key = `turn_max_${unit}`;
  const count = isLimit(section[key]) ? Number(section[key]) : undefined;
  if (!isTurnNumber(count, unit)) return undefined;
  const limit = unit === "tokens" ? completeLimit(undefined, count) : { maxBytes: count };
  const assignDefault = (defaultCount: number) => `default_max_${unit} = ${defaultCount}`;
  return limit && { ...limit, ...placeOf([...SECTION, key], located), assignDefault };
}

function readKeep({ keep }: TomlTable, located: LocatedKeys): StatedKeep | undefined {
  return isKeep(keep) ? { keep, ...placeOf([...SECTION, "keep"], located) } : undefined;
}

function placeOf(keys: readonly string[], located: LocatedKeys) {
  const place = located.find(keys);
  return { path: quotePath(keys), position: place && located.toPosition(place.valueOffset) };
}
