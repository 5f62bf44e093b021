import type { TomlValue } from "smol-toml";
import { createFault } from "./create-finding.js";
import { ENTRY_KEYS, isNest } from "./entry-keys.js";
import { guessLimit } from "./guess-meaning.js";
import type { LayerSource } from "./layer.js";
import { isKeep, isLimit, type LimitUnit } from "./limit-values.js";
import type { LocatedKey, LocatedKeys } from "./locate-keys.js";
import type { ManifestFault } from "./manifest-error.js";
import { quoteKey, quoteText } from "./quote-text.js";
import { isTable } from "./read-toml.js";

const MAX_JOINED_CHARACTERS = 80;

/** A tool's name under `per_tool`, or its first parts, and what the file has there. */
export interface NamePart {
  readonly name: string;
  readonly path: string;
  readonly value: TomlValue | undefined;
  readonly place: LocatedKey | undefined;
}

/** A fault for each name in nested tables, which says to quote it. */
export function findNestedNames(
  tool: NamePart,
  unit: LimitUnit,
  source: LayerSource,
  located: LocatedKeys,
): readonly ManifestFault[] {
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
      const remedy = `${quoteText(name)} = ${suggestEntry(value, unit)}`;
      faults.push(createFault(source, "invalid-value", { path, position, expected, received, remedy }));
    }
  }
  return faults;
}

// No more than will be shown: joining whole paths would cost the square of their depth.
function join(parent: string, key: string): string {
  return parent.length > MAX_JOINED_CHARACTERS ? parent : `${parent}.${key}`;
}

/** The entry that was probably meant: what is right in it, and no more. */
function suggestEntry(value: TomlValue | undefined, unit: LimitUnit): string {
  if (!isTable(value)) return String(guessLimit(value, unit));
  const { keep } = value;
  const limits = ENTRY_KEYS.filter((key) => key !== "keep" && isLimit(value[key]));
  const [key] = limits;
  if (!isKeep(keep) && (key === undefined || key === `max_${unit}`))
    return String(guessLimit(value[`max_${unit}`], unit));
  const parts = limits.map((each) => `${each} = ${value[each]}`);
  return `{ ${[...parts, ...(isKeep(keep) ? [`keep = "${keep}"`] : [])].join(", ")} }`;
}
