import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { ManifestError, parseManifest } from "../src/index.js";
import { NOT_TABLES } from "./support/manifest-fixtures.js";

function errorOf(toml: string, file = "pod.toml"): ManifestError {
  try {
    parseManifest(toml, { file });
  } catch (error) {
    if (error instanceof ManifestError) return error;
    throw error;
  }
  throw new Error("the manifest was accepted");
}

describe("faults", () => {
  it("M7: lists every fault at once, one line for each, frozen", () => {
    // Mutant seen to fail: only the schema's first issue reported.
    const error = errorOf(`
      [worker.tool_output]
      default_max_bytes = 0
      [worker.tool_output.per_tool]
      Read = "32k"
      mcp.srv.Read = 5
      Glob = 8192`);
    expect(error.code).toBe("invalid-value");
    expect(error.message.split("\n")).toEqual([
      "pod.toml:3:27: error: worker.tool_output.default_max_bytes: expected an integer from 1 to 2147483647 (bytes), received 0. Write: default_max_bytes = 16384",
      'pod.toml:5:14: error: worker.tool_output.per_tool.Read: expected an integer from 1 to 2147483647 (bytes), received "32k". Write: Read = 32768',
      `pod.toml:6:7: error: worker.tool_output.per_tool.mcp.srv.Read: expected a tool's name in quotes, received nested tables, which dots outside quotes make. Write: "mcp.srv.Read" = 5`,
    ]);
    expect(error.faults.map((fault) => fault.message)).toEqual(error.message.split("\n"));
    expect(error.faults.map((fault) => fault.path)).toEqual([
      "worker.tool_output.default_max_bytes",
      "worker.tool_output.per_tool.Read",
      "worker.tool_output.per_tool.mcp.srv.Read",
    ]);
    expect(Object.isFrozen(error.faults) && error.faults.every(Object.isFrozen)).toBe(true);
  });

  it.each(NOT_TABLES)("M7: %j is not a table, and its value is not shown", (toml, place, path, received, remedy) => {
    // Mutant seen to fail: `refuseOthers` left out, which lets a date pass for a table.
    expect(errorOf(toml).message).toBe(
      `pod.toml:${place}: error: ${path}: expected a table, received ${received}. Write: ${remedy}`,
    );
  });

  it("M7: quotes the keys of a dotted path that need it", () => {
    const error = errorOf('[worker.tool_output.per_tool]\n"a.b" = 0\n"c d" = 0\n"" = 0\nplain-1_ = 0\n"é" = 0');
    expect(error.faults.map((fault) => fault.path?.slice("worker.tool_output.per_tool.".length))).toEqual([
      '"a.b"',
      '"c d"',
      '""',
      "plain-1_",
      '"é"',
    ]);
  });

  it("M7: keys and values are shown in at most 80 characters, with nothing that a terminal obeys", () => {
    const error = errorOf(
      `[worker.tool_output.per_tool]\n"\\u001b]0;${"k".repeat(300)}" = "\\u009b2J\\u202e\\r\\n${"😀".repeat(300)}"`,
    );
    const key = `"\\u001B]0;${"k".repeat(68)}…"`;
    const value = `"\\u009B2J\\u202E\\u000D\\u000A${"😀".repeat(25)}…"`;
    expect(key).toHaveLength(80);
    expect(value.length).toBeLessThanOrEqual(80);
    expect(error.message).toContain(`per_tool.${key}: `);
    expect(error.message).toContain(`received ${value}. Write: ${key} = 16384`);
    expect(error.message).toMatch(/^\P{C}+$/u);
  });

  it("M7: says <toml> where no file is named, and shows a file's name on one line", () => {
    expect(() => parseManifest("worker = 5")).toThrow(/^<toml>:1:10: error: worker: /);
    expect(errorOf("worker = 5", "C:\\pods\\a\nb\u001b[2J.toml").message).toMatch(
      /^C:\\pods\\a\\u000Ab\\u001B\[2J\.toml:1:10: error: worker: /,
    );
  });
});

const SECRET = "hunter2-a-secret-of-the-file";

const SYNTAX_ERRORS: readonly (readonly [what: string, toml: string, line: number, column: number, reason: RegExp])[] =
  [
    ["an unterminated string", `[auth]\ntoken = "${SECRET}\nnext = 1`, 2, 38, /control characters .*a closing quote/],
    ["an unterminated string at the end", `token = "${SECRET}`, 1, 9, /unfinished string.*a closing quote/],
    ["an unterminated multi-line string", `token = """${SECRET}\n`, 1, 9, /unfinished string.*a closing quote/],
    ["an unquoted value", `a = 1\ntoken = ${SECRET}`, 2, 9, /invalid value/],
    ["text after a value", `token = "a" ${SECRET}`, 1, 13, /end-of-line/],
    ["a bad escape", `token = "\\q${SECRET}"`, 1, 11, /escape.*single quotes/],
    ["a bad key", `${SECRET}/x = 1`, 1, 29, /illegal character in key.*quotes round a name/],
    ["an unquoted slash", `["${SECRET}"]\nmcp/Read = 5`, 2, 4, /"mcp\/read" = 4096/],
    ["a key without a value", `${SECRET}`, 1, 1, /key/],
    ["a duplicate key", `token = "${SECRET}"\ntoken = "${SECRET}"`, 2, 1, /redefine.*each key and each table once/],
    ["a duplicate table", `[worker]\n[worker]\n# ${SECRET}`, 2, 2, /redefine/],
    ["an unfinished array", `token = ["${SECRET}",`, 1, 9, /unfinished array.*closing bracket/],
    ["an unfinished table", `token = { a = "${SECRET}"`, 1, 45, /comma or end.*closing bracket/],
    ["a bad date", `token = 2026-99-99 # ${SECRET}`, 1, 9, /invalid date/],
    ["a bad number", `token = 1__0 # ${SECRET}`, 1, 11, /underscore|numeric/],
    ["a control character in a comment", `# ${SECRET}\u0000`, 1, 31, /control characters/],
    ["nesting without end", `token = ${"[".repeat(2_000)}"${SECRET}"`, 1, 1009, /nested/],
    ["a BOM before it", `\uFEFFa/${SECRET} = 1`, 1, 2, /illegal character in key/],
    ["CRLF before it", `a = 1\r\nb/${SECRET} = 1`, 2, 2, /illegal character in key/],
  ];

describe("syntax errors", () => {
  it.each(SYNTAX_ERRORS)("M7: %s keeps its line and column, and shows no line", (_what, toml, line, column, reason) => {
    // Mutants seen to fail: the TomlError kept as cause; its whole message passed on; the BOM counted as a column.
    const error = errorOf(toml);
    expect(error.code).toBe("syntax");
    expect(error.faults).toEqual([{ code: "syntax", file: "pod.toml", line, column, message: error.message }]);
    expect(error.message).toMatch(
      new RegExp(`^pod\\.toml:${line}:${column}: error: expected TOML, received a syntax error \\(`),
    );
    expect(error.message).toMatch(reason);
    expect(everythingIn(error)).not.toContain("hunter2");
  });

  it.each([
    `[auth]\ntoken = "${SECRET}"\n[worker.tool_output]\ndefault_max_bytes = 0\n[worker.tool_output.per_tool]\na.b = 1`,
    `worker = "${SECRET}"`,
    `worker.tool_output = ["${SECRET}"]`,
    `worker.tool_output.per_tool = "${SECRET}"`,
    `["${SECRET}"]\n[worker."${SECRET}"]\n[worker.tool_output]\ndefault_max_bytes = 0`,
    `[worker.tool_output]\nunknown = "${SECRET}"\ndefault_max_bytes = 0`,
    `[worker.tool_output.per_tool]\nRead = ["${SECRET}"]\nGlob = { key = "${SECRET}" }`,
  ])("M7: nothing of another key is in the error: %j", (toml) => {
    expect(everythingIn(errorOf(toml))).not.toContain("hunter2");
  });

  it("M7: nothing of another key is in the warnings", () => {
    const { warnings } = parseManifest(
      `[workers]\ntoken = "${SECRET}"\n[worker.tool_output]\nunknown = "${SECRET}"\n["${SECRET}"]`,
    );
    expect(warnings).toHaveLength(2);
    expect(JSON.stringify(warnings)).not.toContain("hunter2");
  });
});

function everythingIn(error: ManifestError): string {
  const own = Object.getOwnPropertyNames(error).map((name) => String(Reflect.get(error, name)));
  return [
    error.message,
    error.stack,
    String(error.cause),
    JSON.stringify(error),
    inspect(error, { depth: 9, showHidden: true }),
    ...own,
  ].join("\n");
}
