import { DEFAULT_TOOL_OUTPUT_LIMITS } from "@pod/tool-output-cap";
import type { TomlTable, TomlValue } from "smol-toml";
import { describeKind, describeValue } from "./describe-value.js";
import { formatFinding } from "./format-finding.js";
import type { ManifestFault } from "./manifest-error.js";
import { quoteKey, quotePath, quoteText } from "./quote-text.js";
import { isTable } from "./read-toml.js";
import { MAX_LIMIT_BYTES } from "./schema.js";

const LIMIT = `an integer from 1 to ${MAX_LIMIT_BYTES} (bytes)`;
const MAX_JOINED_CHARACTERS = 80;

/** What is wrong with a key of ours that the schema refused. Unquoted dots in tools' names give a fault for each name. */
export function findFaults(
  tables: TomlTable,
  keys: readonly string[],
  file: string | undefined,
): readonly ManifestFault[] {
  const value = valueAt(tables, keys);
  const [, , , toolName] = keys;
  const path = quotePath(keys);
  if (toolName !== undefined) return findToolFaults(toolName, path, value, file);

  const key = keys.at(-1);
  if (key === "default_max_bytes") {
    return [createFault({ file, path, expected: LIMIT, received: describeValue(value), remedy: assign(key, value) })];
  }
  const remedy = key === "per_tool" ? `[${path}]` : "[worker.tool_output]";
  return [createFault({ file, path, expected: "a table", received: describeKind(value), remedy })];
}

function valueAt(tables: TomlTable, keys: readonly string[]): TomlValue | undefined {
  return keys.reduce<TomlValue | undefined>((value, key) => (isTable(value) ? value[key] : undefined), tables);
}

function findToolFaults(
  toolName: string,
  path: string,
  value: TomlValue | undefined,
  file: string | undefined,
): readonly ManifestFault[] {
  if (!isNest(value)) {
    const remedy = assign(quoteKey(toolName), value);
    return [createFault({ file, path, expected: LIMIT, received: describeValue(value), remedy })];
  }

  const faults: ManifestFault[] = [];
  // A list and no recursion: dotted keys nest as deep as the file is long.
  const nodes: { name: string; path: string; value: TomlValue | undefined }[] = [{ name: toolName, path, value }];
  for (const node of nodes) {
    if (isNest(node.value)) {
      for (const [key, inner] of Object.entries(node.value)) {
        nodes.push({ name: join(node.name, key), path: join(node.path, quoteKey(key)), value: inner });
      }
    } else {
      const received = "nested tables, which dots outside quotes make";
      const remedy = assign(quoteText(node.name), node.value);
      faults.push(createFault({ file, path: node.path, expected: "a tool's name in quotes", received, remedy }));
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

function assign(key: string, value: TomlValue | undefined): string {
  const meant = guessBytes(isTable(value) ? value.max_bytes : value);
  const isLimit = Number.isInteger(meant) && meant >= 1 && meant <= MAX_LIMIT_BYTES;
  return `${key} = ${isLimit ? meant : DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes}`;
}

/** The bytes that were probably meant: `16384.0` and `"16384"` are 16384, `"32k"` and `"32 KiB"` are 32768. */
function guessBytes(value: TomlValue | undefined): number {
  if (typeof value === "bigint" || typeof value === "number") return Number(value);
  if (typeof value !== "string") return Number.NaN;
  const [, digits, unit = ""] = /^(\d+) ?([km]?)(?:i?b)?$/i.exec(value) ?? [];
  const factors: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 * 1024 };
  return Number(digits) * (factors[unit.toLowerCase()] ?? 1);
}

function createFault(fault: {
  readonly file: string | undefined;
  readonly path: string;
  readonly expected: string;
  readonly received: string;
  readonly remedy: string;
}): ManifestFault {
  return { path: fault.path, message: formatFinding({ severity: "error", ...fault }) };
}
