import type { TomlTable, TomlValue } from "smol-toml";
import { createFault } from "./create-finding.js";
import { describeKind, describeValue } from "./describe-value.js";
import { EXPECTED_BUDGET, EXPECTED_KEEP, EXPECTED_LIMIT } from "./expectations.js";
import { findEntryFaults } from "./find-entry-faults.js";
import { guessKeep, guessLimit, suggestBudget } from "./guess-meaning.js";
import type { LayerSource } from "./layer.js";
import { isLimit } from "./limit-values.js";
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
  if (toolName !== undefined) return findEntryFaults({ name: toolName, path, value, place }, source, located);
  const position = place && located.toPosition(place.valueOffset);
  const details = { path, position, ...describeFault(key, value) };
  return [createFault(source, "invalid-value", details)];
}

function describeFault(key: string | undefined, value: TomlValue | undefined) {
  const received = describeValue(value);
  switch (key) {
    case "default_max_bytes": {
      // A table of the kind that a tool may have.
      const remedy = `${key} = ${guessLimit(isTable(value) ? value.max_bytes : value)}`;
      return { expected: EXPECTED_LIMIT, received, remedy };
    }
    case "turn_max_bytes":
      return {
        expected: EXPECTED_BUDGET,
        received,
        remedy: suggestBudget(value, (maxBytes) => `${key} = ${maxBytes}`),
      };
    case "keep": {
      // Whoever writes a number means how much, not which part.
      const remedy = isLimit(value) ? `default_max_bytes = ${value}` : `${key} = "${guessKeep(value)}"`;
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
