import type { TomlTable, TomlValue } from "smol-toml";
import { createFault } from "./create-finding.js";
import { describeValue } from "./describe-value.js";
import { ENTRY_KEYS, type EntryKey, findMeantKey, isNest } from "./entry-keys.js";
import { EXPECTED_KEEP, expectLimit } from "./expectations.js";
import { findNestedNames, type NamePart } from "./find-nested-names.js";
import { guessKeep, guessLimit } from "./guess-meaning.js";
import type { LayerSource } from "./layer.js";
import { isKeep, isLimit, type LimitUnit } from "./limit-values.js";
import type { LocatedKeys } from "./locate-keys.js";
import type { ManifestFault } from "./manifest-error.js";
import { joinNames } from "./nearest-name.js";
import { quoteKey, quoteText } from "./quote-text.js";
import { isTable } from "./read-toml.js";

/** What is wrong with the entry of one tool, in a file of a unit. Unquoted dots in tools' names give a fault for each name. */
export function findEntryFaults(
  tool: NamePart,
  unit: LimitUnit,
  source: LayerSource,
  located: LocatedKeys,
): readonly ManifestFault[] {
  const { value } = tool;
  if (isNest(value)) return findNestedNames(tool, unit, source, located);
  if (isTable(value) && Object.keys(value).length > 0) return findTableFaults(tool, value, unit, source, located);
  const position = tool.place && located.toPosition(tool.place.valueOffset);
  const remedy = `${quoteKey(tool.name)} = ${isKeep(value) ? `{ keep = "${value}" }` : guessLimit(value, unit)}`;
  const details = { path: tool.path, position, expected: expectLimit(unit), received: describeValue(value), remedy };
  return [createFault(source, "invalid-value", details)];
}

function findTableFaults(
  tool: NamePart,
  table: TomlTable,
  unit: LimitUnit,
  source: LayerSource,
  located: LocatedKeys,
): readonly ManifestFault[] {
  return Object.entries(table).flatMap(([key, value]) => {
    const place = tool.place?.children?.get(key);
    const path = `${tool.path}.${quoteKey(key)}`;
    const known = ENTRY_KEYS.find((name) => name === key);
    if (known === undefined && isTable(value)) {
      return findNestedNames({ name: `${tool.name}.${key}`, path, value, place }, unit, source, located);
    }
    const details = known === undefined ? describeOther(tool, key, value) : describeFault(known, value, unit);
    if (details === undefined) return [];
    const position = place && located.toPosition(known === undefined ? place.keyOffset : place.valueOffset);
    return [createFault(source, "invalid-value", { path, position, ...details })];
  });
}

function describeFault(key: EntryKey, value: TomlValue, unit: LimitUnit) {
  const received = describeValue(value);
  if (key !== "keep") {
    const expected = expectLimit(key === "max_bytes" ? "bytes" : "tokens");
    return isLimit(value) ? undefined : { expected, received, remedy: suggest(key, value) };
  }
  if (isKeep(value)) return undefined;
  // Whoever writes a number means how much, not which part.
  return { expected: EXPECTED_KEEP, received, remedy: suggest(isLimit(value) ? `max_${unit}` : key, value) };
}

function describeOther(tool: NamePart, key: string, value: TomlValue) {
  const meant = findMeantKey(key, value);
  if (meant !== undefined) {
    return { expected: meant, received: "a key that is nearly the same", remedy: suggest(meant, value) };
  }
  const remedy = `nothing else there; a tool's name with a dot is quoted, as in ${quoteText(`${tool.name}.${key}`)}`;
  return { expected: joinNames(ENTRY_KEYS), received: "an unknown key", remedy };
}

function suggest(key: EntryKey, value: TomlValue): string {
  if (key === "keep") return `keep = "${guessKeep(value)}"`;
  return `${key} = ${guessLimit(value, key === "max_bytes" ? "bytes" : "tokens")}`;
}
