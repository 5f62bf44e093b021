import type { TomlTable, TomlValue } from "smol-toml";
import { createFault } from "./create-finding.js";
import { isNest } from "./entry-keys.js";
import { readFileUnit } from "./file-unit.js";
import { guessLimit } from "./guess-meaning.js";
import type { LayerSource } from "./layer.js";
import { type LimitUnit, MAX_BYTES_PER_TOKEN, MAX_LIMIT, MIN_TURN } from "./limit-values.js";
import type { LocatedKeys } from "./locate-keys.js";
import type { ManifestFault } from "./manifest-error.js";
import { quotePath } from "./quote-text.js";
import { isTable } from "./read-toml.js";

const SECTION = ["worker", "tool_output"] as const;

/** The limits of a file that are not in the file's unit: a fault for each, which names a limit that is. */
export function findUnitFaults(
  section: TomlTable,
  source: LayerSource,
  located: LocatedKeys,
): readonly ManifestFault[] {
  const unit = readFileUnit(section);
  const all = listLimits(section, unit);
  const first = all.find((limit) => limit.unit === unit);
  if (first === undefined) return [];
  const line = positionOf(first, located)?.line;
  const { isBare } = first;
  const named = `${isBare ? "the bare number " : ""}${quotePath(first.keys.slice(SECTION.length))}`;
  const expected = `${unit}, the unit of ${named} on line ${line}`;
  return all
    .filter((limit) => limit.unit !== unit)
    .map((limit) => {
      const received = `${limit.unit} in the same file`;
      const details = { path: quotePath(limit.keys), position: positionOf(limit, located), expected, received };
      const other = isBare ? `, or ${FIRST_KEY} before per_tool, where its numbers are tokens` : "";
      const remedy = `${suggest(limit, unit, section)}${other}`;
      return createFault(source, "invalid-value", { ...details, remedy });
    });
}

const FIRST_KEY = `default_max_tokens = ${guessLimit(undefined, "tokens")}`;

interface WrittenLimit {
  readonly keys: readonly string[];
  readonly unit: LimitUnit;
  readonly value: TomlValue | undefined;
  /** Whether it has its unit from the file, and not from its key. */
  readonly isBare: boolean;
}

/** Every limit that a section names, right or wrong; a bare number is in the file's unit. */
function listLimits(section: TomlTable, unit: LimitUnit): readonly WrittenLimit[] {
  const perTool = isTable(section.per_tool) ? section.per_tool : {};
  return [
    ...listKeys(section, "default_max_", SECTION),
    ...listKeys(section, "turn_max_", SECTION),
    ...Object.entries(perTool).flatMap(([toolName, entry]) => {
      const keys = [...SECTION, "per_tool", toolName];
      if (!isTable(entry)) return [{ keys, unit, value: entry, isBare: true }];
      return isNest(entry) ? [] : listKeys(entry, "max_", keys);
    }),
  ];
}

function listKeys(table: TomlTable, stem: string, parents: readonly string[]): readonly WrittenLimit[] {
  return (["bytes", "tokens"] as const).flatMap((unit) => {
    const key = `${stem}${unit}`;
    return Object.hasOwn(table, key) ? [{ keys: [...parents, key], unit, value: table[key], isBare: false }] : [];
  });
}

function positionOf({ keys }: WrittenLimit, located: LocatedKeys) {
  const place = located.find(keys);
  return place && located.toPosition(place.keyOffset);
}

/** The same limit in the file's unit, or nothing where the file has that too. */
function suggest({ keys, unit, value }: WrittenLimit, fileUnit: LimitUnit, section: TomlTable): string {
  const key = (keys.at(-1) ?? "").replace(/[a-z]+$/, fileUnit);
  const table = keys
    .slice(SECTION.length, -1)
    .reduce<TomlValue | undefined>((parent, name) => (isTable(parent) ? parent[name] : undefined), section);
  if (isTable(table) && Object.hasOwn(table, key)) return `nothing there, for ${key} stands beside it`;
  const written = guessLimit(value, unit);
  const converted =
    fileUnit === "tokens" ? Math.max(1, Math.floor(written / MAX_BYTES_PER_TOKEN)) : written * MAX_BYTES_PER_TOKEN;
  const least = key.startsWith("turn_") ? MIN_TURN[fileUnit] : 1;
  return `${key} = ${Math.min(Math.max(converted, least), MAX_LIMIT)}`;
}
