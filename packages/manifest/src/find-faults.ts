import type { TomlTable, TomlValue } from "smol-toml";
import { createFault } from "./create-finding.js";
import { describeKind, describeValue } from "./describe-value.js";
import { EXPECTED_KEEP, expectBudget, expectLimit } from "./expectations.js";
import { readFileUnit } from "./file-unit.js";
import { findEntryFaults } from "./find-entry-faults.js";
import { guessKeep, guessLimit, suggestBudget } from "./guess-meaning.js";
import type { LayerSource } from "./layer.js";
import { isLimit, type LimitUnit } from "./limit-values.js";
import type { LocatedKeys } from "./locate-keys.js";
import type { ManifestFault } from "./manifest-error.js";
import { quotePath } from "./quote-text.js";
import { isTable } from "./read-toml.js";

/** What is wrong with a key of ours that the schema refused: of an entry in `per_tool` everything at once. */
export function findFaults(
  tables: TomlTable,
  keys: readonly string[],
  source: LayerSource,
  located: LocatedKeys,
): readonly ManifestFault[] {
  const value = valueAt(tables, keys);
  const path = quotePath(keys);
  const place = located.find(keys);
  const [, , key, toolName] = keys;
  const section = valueAt(tables, keys.slice(0, 2));
  const unit = isTable(section) ? readFileUnit(section) : "bytes";
  if (toolName !== undefined) return findEntryFaults({ name: toolName, path, value, place }, unit, source, located);
  const position = place && located.toPosition(place.valueOffset);
  const details = { path, position, ...describeFault(key, value, unit) };
  return [createFault(source, "invalid-value", details)];
}

function describeFault(key: string | undefined, value: TomlValue | undefined, fileUnit: LimitUnit) {
  const received = describeValue(value);
  switch (key) {
    case "default_max_bytes":
    case "default_max_tokens": {
      const unit = key === "default_max_bytes" ? "bytes" : "tokens";
      // A table of the kind that a tool may have.
      const remedy = `${key} = ${guessLimit(isTable(value) ? value[`max_${unit}`] : value, unit)}`;
      return { expected: expectLimit(unit), received, remedy };
    }
    case "turn_max_bytes":
    case "turn_max_tokens": {
      const unit = key === "turn_max_bytes" ? "bytes" : "tokens";
      const remedy = suggestBudget(value, unit, (count) => `${key} = ${count}`);
      return { expected: expectBudget(unit), received, remedy };
    }
    case "keep": {
      // Whoever writes a number means how much, not which part.
      const remedy = isLimit(value) ? `default_max_${fileUnit} = ${value}` : `${key} = "${guessKeep(value)}"`;
      return { expected: EXPECTED_KEEP, received, remedy };
    }
    default: {
      const heading = key === "per_tool" ? "[worker.tool_output.per_tool]" : "[worker.tool_output]";
      return { expected: "a table", received: describeKind(value), remedy: heading };
    }
  }
}

function valueAt(tables: TomlTable, keys: readonly string[]): TomlValue | undefined {
  return keys.reduce<TomlValue | undefined>((value, key) => (isTable(value) ? value[key] : undefined), tables);
}
