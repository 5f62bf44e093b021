import { parse, TomlError, type TomlTable } from "smol-toml";
import { createFault } from "./create-finding.js";
import type { LayerSource } from "./layer.js";
import { ManifestError } from "./manifest-error.js";

/**
 * The tables of a TOML text. Integers are bigints, so that `16384.0` is told from `16384`; tables have no prototype, so
 * that `constructor` and `__proto__` are keys like any other.
 *
 * @throws ManifestError with the parser's line and column, and no text of the file.
 */
export function readToml(toml: string, source: LayerSource): TomlTable {
  try {
    return parse(toml, { integersAsBigInt: true });
  } catch (error) {
    if (error instanceof TomlError) throw syntaxError(error, toml, source);
    throw error;
  }
}

/** Whether a value of the parser's is a table: its dates are objects too. */
export function isTable(value: unknown): value is TomlTable {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

// The parser's error is not kept as the cause: its message and its `codeblock` show lines of the file.
function syntaxError(error: TomlError, toml: string, source: LayerSource): ManifestError {
  const { line } = error;
  const column = line === 1 && toml.startsWith("\uFEFF") ? error.column - 1 : error.column;
  const reason = /^Invalid TOML document: ([^\n]*)/.exec(error.message)?.[1] ?? "something else";
  const fault = createFault(source, "syntax", {
    position: { line, column },
    expected: "TOML",
    received: `a syntax error (${reason})`,
    remedy: findRemedy(reason),
  });
  return new ManifestError("syntax", [fault]);
}

const REMEDIES: readonly (readonly [reason: RegExp, remedy: string])[] = [
  [/in key$/, 'quotes round a name that has more than letters, digits, "_" and "-", as in "mcp/read" = 4096'],
  [/redefine/, "each key and each table once"],
  [/escape/, "single quotes round a text with backslashes"],
  [/string/, "a closing quote on the same line"],
  [/unfinished (array|table)|comma or end/, "the closing bracket, and commas between what it holds"],
  [/invalid value/, "a number as it is, a text in quotes"],
];

function findRemedy(reason: string): string {
  return REMEDIES.find(([pattern]) => pattern.test(reason))?.[1] ?? "key = value, one on each line";
}
