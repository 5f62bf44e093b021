import type { TomlTable } from "smol-toml";
import { type Entry, readEntry } from "./entry-schema.js";
import { findFaults } from "./find-faults.js";
import { findKeyWarnings } from "./find-key-warnings.js";
import type { Layer, LayerSource, StatedBudget, StatedKeep, StatedLimit } from "./layer.js";
import { isKeep, isLimit, isTurnMaxBytes } from "./limit-values.js";
import { type LocatedKeys, locateKeys } from "./locate-keys.js";
import { ManifestError } from "./manifest-error.js";
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
  return {
    ...source,
    limits: readLimits(section, located),
    budget: readBudget(section, located),
    keep: readKeep(section, located),
    warnings: findKeyWarnings(tables, source, located),
    error: findError(tables, source, located),
  };
}

function findError(tables: TomlTable, source: LayerSource, located: LocatedKeys): ManifestError | undefined {
  const parsed = manifestSchema.safeParse(tables);
  if (parsed.success) return undefined;
  // The entry of a tool may have several issues, and is looked at once, as a whole.
  const paths = parsed.error.issues.map(({ path }) => path.slice(0, 4).map(String));
  const distinct = new Map(paths.map((path) => [JSON.stringify(path), path]));
  const faults = Array.from(distinct.values()).flatMap((path) => findFaults(tables, path, source, located));
  return new ManifestError("invalid-value", faults);
}

function readLimits(section: TomlTable, located: LocatedKeys): readonly StatedLimit[] {
  const perTool = isTable(section.per_tool) ? section.per_tool : {};
  const ofDefault = isLimit(section.default_max_bytes) ? { maxBytes: Number(section.default_max_bytes) } : undefined;
  return [
    ...createLimit(undefined, ofDefault, [...SECTION, "default_max_bytes"], located),
    ...Object.entries(perTool).flatMap(([toolName, value]) => {
      const keys = [...SECTION, "per_tool", toolName];
      const entry = readEntry(value);
      if (!isTable(value)) return createLimit(toolName, entry, keys, located);
      const key = entry?.maxBytes === undefined ? "keep" : "max_bytes";
      return createLimit(toolName, entry, [...keys, key], located);
    }),
  ];
}

function createLimit(
  toolName: string | undefined,
  entry: Entry | undefined,
  keys: readonly string[],
  located: LocatedKeys,
): readonly StatedLimit[] {
  if (entry === undefined) return [];
  const { maxBytes, keep } = entry;
  const key = quoteKey(keys.at(-1) ?? "");
  const assign = (bytes: number) => `${key} = ${bytes}`;
  return [{ toolName, maxBytes, keep, ...placeOf(keys, located), assign }];
}

function readBudget({ turn_max_bytes: value }: TomlTable, located: LocatedKeys): StatedBudget | undefined {
  const maxBytes = isLimit(value) ? Number(value) : undefined;
  if (!isTurnMaxBytes(maxBytes)) return undefined;
  const assignDefault = (defaultMaxBytes: number) => `default_max_bytes = ${defaultMaxBytes}`;
  return { maxBytes, ...placeOf([...SECTION, "turn_max_bytes"], located), assignDefault };
}

function readKeep({ keep }: TomlTable, located: LocatedKeys): StatedKeep | undefined {
  return isKeep(keep) ? { keep, ...placeOf([...SECTION, "keep"], located) } : undefined;
}

function placeOf(keys: readonly string[], located: LocatedKeys) {
  const place = located.find(keys);
  return { path: quotePath(keys), position: place && located.toPosition(place.valueOffset) };
}
