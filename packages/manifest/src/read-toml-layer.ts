import type { TomlTable } from "smol-toml";
import { findFaults } from "./find-faults.js";
import { findKeyWarnings } from "./find-key-warnings.js";
import type { Layer, LayerSource, StatedBudget, StatedLimit } from "./layer.js";
import { type LocatedKeys, locateKeys } from "./locate-keys.js";
import { ManifestError } from "./manifest-error.js";
import { quoteKey, quotePath } from "./quote-text.js";
import { isTable, readToml } from "./read-toml.js";
import { isLimit, isTurnMaxBytes, manifestSchema } from "./schema.js";

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
    warnings: findKeyWarnings(tables, source, located),
    error: findError(tables, source, located),
  };
}

function findError(tables: TomlTable, source: LayerSource, located: LocatedKeys): ManifestError | undefined {
  const parsed = manifestSchema.safeParse(tables);
  if (parsed.success) return undefined;
  const faults = parsed.error.issues.flatMap((issue) => findFaults(tables, issue.path.map(String), source, located));
  return new ManifestError("invalid-value", faults);
}

function readLimits(section: TomlTable, located: LocatedKeys): readonly StatedLimit[] {
  const perTool = isTable(section.per_tool) ? section.per_tool : {};
  return [
    ...readLimit(undefined, section.default_max_bytes, located),
    ...Object.entries(perTool).flatMap(([name, value]) => readLimit(name, value, located)),
  ];
}

function readLimit(toolName: string | undefined, value: unknown, located: LocatedKeys): readonly StatedLimit[] {
  if (!isLimit(value)) return [];
  const keys = [...SECTION, ...(toolName === undefined ? ["default_max_bytes"] : ["per_tool", toolName])];
  const key = quoteKey(keys.at(-1) ?? "");
  const assign = (maxBytes: number) => `${key} = ${maxBytes}`;
  return [{ toolName, maxBytes: Number(value), ...placeOf(keys, located), assign }];
}

function readBudget({ turn_max_bytes: value }: TomlTable, located: LocatedKeys): StatedBudget | undefined {
  const maxBytes = isLimit(value) ? Number(value) : undefined;
  if (!isTurnMaxBytes(maxBytes)) return undefined;
  const assignDefault = (defaultMaxBytes: number) => `default_max_bytes = ${defaultMaxBytes}`;
  return { maxBytes, ...placeOf([...SECTION, "turn_max_bytes"], located), assignDefault };
}

function placeOf(keys: readonly string[], located: LocatedKeys) {
  const place = located.find(keys);
  return { path: quotePath(keys), position: place && located.toPosition(place.valueOffset) };
}
