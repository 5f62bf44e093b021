import type { TomlTable, TomlValue } from "smol-toml";
import { isNearMiss } from "./nearest-name.js";
import { isTable } from "./read-toml.js";

/** The keys that the table of one tool may hold. */
export const ENTRY_KEYS = ["max_bytes", "max_tokens", "keep"] as const;

export type EntryKey = (typeof ENTRY_KEYS)[number];

/** Whether a table under `per_tool` is one of further parts of a name, and not, rightly or wrongly, one tool's entry. */
export function isNest(value: TomlValue | undefined): value is TomlTable {
  if (!isTable(value)) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([key, inner]) => findMeantKey(key, inner) === undefined);
}

/**
 * The key of an entry that a key is meant to be. A table goes on with a name (`mcp.keep.get = 5`), and so does a number
 * under what is only nearly `keep` (`redis.peek = 5`).
 */
export function findMeantKey(key: string, value: TomlValue): EntryKey | undefined {
  if (isTable(value)) return undefined;
  const known = ENTRY_KEYS.find((name) => name === key);
  if (known !== undefined) return known;
  if (isNearMiss(key, "max_bytes")) return "max_bytes";
  if (isNearMiss(key, "max_tokens")) return "max_tokens";
  return typeof value === "string" && isNearMiss(key, "keep") ? "keep" : undefined;
}
