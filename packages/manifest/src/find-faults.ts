import { DEFAULT_TOOL_OUTPUT_LIMITS } from "@pod/tool-output-cap";
import type { TomlTable, TomlValue } from "smol-toml";
import { createFault } from "./create-finding.js";
import { describeKind, describeValue } from "./describe-value.js";
import type { LayerSource } from "./layer.js";
import type { LocatedKey, LocatedKeys } from "./locate-keys.js";
import type { ManifestFault } from "./manifest-error.js";
import { quoteKey, quotePath, quoteText } from "./quote-text.js";
import { isTable } from "./read-toml.js";
import { isMaxBytes, MAX_LIMIT_BYTES, MIN_TURN_BYTES } from "./schema.js";

/** What a limit has to be, in words. */
export const EXPECTED_LIMIT: string = `an integer from 1 to ${MAX_LIMIT_BYTES} (bytes)`;

/** What a turn budget has to be, in words. */
export const EXPECTED_BUDGET: string = `an integer from ${MIN_TURN_BYTES} to ${MAX_LIMIT_BYTES} (bytes)`;

const MAX_JOINED_CHARACTERS = 80;

/** What is wrong with a key of ours that the schema refused. Unquoted dots in tools' names give a fault for each name. */
export function findFaults(
  tables: TomlTable,
  keys: readonly string[],
  source: LayerSource,
  located: LocatedKeys,
): readonly ManifestFault[] {
  const value = valueAt(tables, keys);
  const path = quotePath(keys);
  const place = located.find(keys);
  const [, , , toolName] = keys;
  if (toolName !== undefined && isNest(value)) {
    return findNestedNames({ name: toolName, path, value, place }, source, located);
  }
  const position = place && located.toPosition(place.valueOffset);

  const key = keys.at(-1);
  if (toolName !== undefined || key === "default_max_bytes") {
    const remedy = `${quoteKey(key ?? "")} = ${guessLimit(value)}`;
    const received = describeValue(value);
    return [createFault(source, "invalid-value", { path, position, expected: EXPECTED_LIMIT, received, remedy })];
  }
  if (key === "turn_max_bytes") {
    const remedy = suggestBudget(value, (maxBytes) => `${key} = ${maxBytes}`);
    const received = describeValue(value);
    return [createFault(source, "invalid-value", { path, position, expected: EXPECTED_BUDGET, received, remedy })];
  }
  const remedy = key === "per_tool" ? `[${path}]` : "[worker.tool_output]";
  const received = describeKind(value);
  return [createFault(source, "invalid-value", { path, position, expected: "a table", received, remedy })];
}

/** The limit that was probably meant, or the default where nobody can tell. */
export function guessLimit(value: unknown): number {
  const meant = guessBytes(isTable(value) ? value.max_bytes : value);
  return isMaxBytes(meant) ? meant : DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes;
}

/** What to write for a turn budget that is none: the one that was probably meant, or one to begin with, or nothing. */
export function suggestBudget(value: unknown, assign: (maxBytes: number) => string): string {
  const meant = guessBytes(value);
  if (isMaxBytes(meant)) return assign(Math.max(meant, MIN_TURN_BYTES));
  // Two full results: two thirds of the minute that the default limit is made for, where history takes the third.
  return `${assign(2 * DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes)}, or leave it out for no budget`;
}

function valueAt(tables: TomlTable, keys: readonly string[]): TomlValue | undefined {
  return keys.reduce<TomlValue | undefined>((value, key) => (isTable(value) ? value[key] : undefined), tables);
}

interface NamePart {
  readonly name: string;
  readonly path: string;
  readonly value: TomlValue | undefined;
  readonly place: LocatedKey | undefined;
}

function findNestedNames(tool: NamePart, source: LayerSource, located: LocatedKeys): readonly ManifestFault[] {
  const faults: ManifestFault[] = [];
  // A list and no recursion: dotted keys nest as deep as the file is long.
  const parts = [tool];
  for (const { name, path, value, place } of parts) {
    if (isNest(value)) {
      for (const [key, inner] of Object.entries(value)) {
        const innerPath = join(path, quoteKey(key));
        parts.push({ name: join(name, key), path: innerPath, value: inner, place: place?.children?.get(key) });
      }
    } else {
      const position = place && located.toPosition(place.entryOffset);
      const expected = "a tool's name in quotes";
      const received = "nested tables, which dots outside quotes make";
      const remedy = `${quoteText(name)} = ${guessLimit(value)}`;
      faults.push(createFault(source, "invalid-value", { path, position, expected, received, remedy }));
    }
  }
  return faults;
}

/** Whether a value is a table of further parts of a name, and not, rightly or wrongly, one tool's limit. */
function isNest(value: TomlValue | undefined): value is TomlTable {
  return isTable(value) && Object.keys(value).length > 0 && !("max_bytes" in value);
}

// No more than will be shown: joining whole paths would cost the square of their depth.
function join(parent: string, key: string): string {
  return parent.length > MAX_JOINED_CHARACTERS ? parent : `${parent}.${key}`;
}

/** The bytes that were probably meant: `16384.0` and `"16384"` are 16384, `"32k"` and `"32 KiB"` are 32768. */
function guessBytes(value: unknown): number {
  if (typeof value === "bigint" || typeof value === "number") return Number(value);
  if (typeof value !== "string") return Number.NaN;
  const [, digits, unit = ""] = /^(\d+) ?([km]?)(?:i?b)?$/i.exec(value) ?? [];
  const factors: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 * 1024 };
  return Number(digits) * (factors[unit.toLowerCase()] ?? 1);
}
