import { describe, expect, it } from "vitest";
import { ManifestError, parseManifest } from "../src/index.js";

/** `line:column` of every fault and warning, faults first: a faulty manifest has no warnings. */
function placesOf(toml: string): readonly string[] {
  try {
    return parseManifest(toml).warnings.map(({ line, column }) => `${line}:${column}`);
  } catch (error) {
    if (error instanceof ManifestError) return error.faults.map(({ line, column }) => `${line}:${column}`);
    throw error;
  }
}

const SECTION = "[worker.tool_output]";

describe("positions of values", () => {
  it.each([
    ["a key of a table", `${SECTION}\ndefault_max_bytes = 0`, "2:21"],
    ["no blanks", `${SECTION}\ndefault_max_bytes=0`, "2:19"],
    ["blanks and tabs", `${SECTION}\n \t default_max_bytes \t =  \t 0`, "2:29"],
    ["comments before", `# a = 1\n${SECTION} # [x]\n# "\ndefault_max_bytes = 0 # = 5`, "4:21"],
    ["CRLF", `\r\n${SECTION}\r\n\r\ndefault_max_bytes = 0\r\n`, "4:21"],
    ["a BOM on another line", `\uFEFF${SECTION}\ndefault_max_bytes = 0`, "2:21"],
    ["a BOM on the same line", "\uFEFFworker.tool_output.default_max_bytes = 0", "1:40"],
    ["a dotted key", "worker.tool_output.default_max_bytes = 0", "1:40"],
    ["a dotted key with blanks", "worker . tool_output\t.\tdefault_max_bytes = 0", "1:44"],
    ["a dotted key in a table", "[worker]\ntool_output.per_tool.Read = 0", "2:29"],
    ["quoted keys", `["worker".'tool_output']\n"default_max_bytes" = 0`, "2:23"],
    ["escapes in a key", '["w\\u006Frker"."tool\\x5Foutput"]\n"default\\U0000005Fmax_bytes" = 0', "2:32"],
    ["every escape", '[worker.tool_output.per_tool]\n"\\b\\t\\n\\f\\r\\e\\"\\\\" = 0', "2:22"],
    ["an inline table", "worker = { tool_output = { default_max_bytes = 0 } }", "1:48"],
    [
      "an inline table on lines",
      "worker = {\n  tool_output = { # }\n    a = 1,\n    default_max_bytes = 0,\n  },\n}",
      "4:25",
    ],
    ["a dotted key in an inline table", "worker = { x = [{}], tool_output.per_tool = { a.b = 1 } }", "1:47"],
    ["an array before", `a = [\n "]", # ]\n ']',\n [{ b = 1 }],\n]\n${SECTION}\ndefault_max_bytes = 0`, "7:21"],
    ["a text of several lines before", `a = """\n[worker]\n\\""" """"\n${SECTION}\ndefault_max_bytes = 0`, "5:21"],
    ["a literal text before", `a = '''\n\\'''''\n${SECTION}\ndefault_max_bytes = 0`, "4:21"],
    ["a date with a blank before", `a = 2026-11-30 07:32:00\n${SECTION}\ndefault_max_bytes = 0`, "3:21"],
    ["emoji before on the line", '"😀" = 1\n[worker.tool_output]\nper_tool = { "😀😀" = 0 }', "3:23"],
    ["an array of tables of ours", "[[worker]]\n[[worker]]", "1:1"],
    ["an array of tables of others", `[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\n${SECTION}\ndefault_max_bytes = 0`, "7:21"],
    ["a heading with blanks", "[ worker . tool_output ]\ndefault_max_bytes = 0", "2:21"],
    ["a name of Object.prototype", "[worker.tool_output.per_tool]\n__proto__ = 0", "2:13"],
    ["the empty name", '[worker.tool_output.per_tool]\n"" = 0', "2:6"],
    ["a table under another", "[worker]\n[worker.tool_output]\n[worker.tool_output.per_tool]\nRead = 0", "4:8"],
  ])("M7: with %s", (_what, toml, place) => {
    expect(placesOf(toml)).toEqual([place]);
  });

  it("M7: is of the file and line that the message says, in each fault", () => {
    const toml = `${"\n".repeat(12)}[worker.tool_output.per_tool]\nRead = "32k"`;
    expect(() => parseManifest(toml, { file: "pod.toml" })).toThrow(
      'pod.toml:14:8: error: worker.tool_output.per_tool.Read: expected an integer from 1 to 2147483647 (bytes), received "32k". Write: Read = 32768',
    );
  });
});

describe("positions of keys", () => {
  it.each([
    ["an unknown key", `${SECTION}\n  unknown = 5`, "2:3"],
    ["an unknown table", `[worker.tool_output.unknown]`, "1:21"],
    ["an unknown dotted key", "worker.tool_output.unknown.more = 5", "1:20"],
    ["a near miss in a heading", "[ workers . a ]", "1:3"],
    ["a near miss that two headings make", "[workers.a]\n[workers.b]", "1:2"],
    ["a near miss in an inline table", "worker = { toolOutput = {} }", "1:12"],
    ["a small limit, at its value", `${SECTION}\ndefault_max_bytes = 5`, "2:21"],
  ])("M3 M7: with %s", (_what, toml, place) => {
    expect(placesOf(toml)).toEqual([place]);
  });

  it.each([
    ["dotted keys", "mcp.Read = 5\n  mcp.Write = 6", ["2:1", "3:3"]],
    ["a heading", "[worker.tool_output.per_tool.mcp]\nRead = 5", ["3:1"]],
    ["an empty heading", "[worker.tool_output.per_tool.mcp.srv]", ["2:1"]],
  ])("M3 M7: nested names begin where their entry does: %s", (_what, toml, places) => {
    expect(placesOf(`[worker.tool_output.per_tool]\n${toml}`)).toEqual(places);
  });
});
