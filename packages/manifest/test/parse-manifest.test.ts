import { DEFAULT_TOOL_OUTPUT_LIMITS, findUnknownTools, resolveLimit } from "@pod/tool-output-cap";
import { describe, expect, it } from "vitest";
import { type ManifestError, parseManifest } from "../src/index.js";
import { BAD_DEFAULTS, BAD_LIMITS } from "./support/manifest-fixtures.js";

const DEFAULT_MAX_BYTES = DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes;

function faultsOf(toml: string): readonly string[] {
  try {
    parseManifest(toml, { file: "pod.toml" });
  } catch (error) {
    return (error as ManifestError).faults.map((fault) => fault.message);
  }
  return [];
}

describe("completeness", () => {
  it.each([
    ["section absent", "", DEFAULT_MAX_BYTES, {}],
    ["[worker] alone", "[worker]", DEFAULT_MAX_BYTES, {}],
    ["section empty", "[worker.tool_output]", DEFAULT_MAX_BYTES, {}],
    ["only per_tool", "[worker.tool_output.per_tool]\nRead = 32768", DEFAULT_MAX_BYTES, { Read: 32_768 }],
    ["only default_max_bytes", "[worker.tool_output]\ndefault_max_bytes = 8192", 8192, {}],
    ["both", "[worker.tool_output]\ndefault_max_bytes = 8192\nper_tool = { Read = 200 }", 8192, { Read: 200 }],
    ["per_tool empty", "[worker.tool_output.per_tool]", DEFAULT_MAX_BYTES, {}],
    ["dotted keys", "worker.tool_output.default_max_bytes = 8192", 8192, {}],
    ["worker with other keys", '[worker]\nmodel = "m"', DEFAULT_MAX_BYTES, {}],
  ])("M1: complete limits from: %s", (_shape, toml, defaultMaxBytes, perTool) => {
    // Mutant seen to fail: a `.prefault({})` left out; another default.
    const { manifest, warnings } = parseManifest(toml);
    expect(manifest).toEqual({ worker: { toolOutput: { defaultMaxBytes, perTool } } });
    expect(warnings).toEqual([]);
  });
});

describe("limits", () => {
  it.each(BAD_DEFAULTS)("M2 M7: refuses default_max_bytes = %s", (literal, received, remedy) => {
    // Mutants seen to fail: `integersAsBigInt: "asNeeded"`; `.min(1n)` and `.max(…)` left out.
    expect(faultsOf(`[worker.tool_output]\ndefault_max_bytes = ${literal}`)).toEqual([
      `pod.toml:2:21: error: worker.tool_output.default_max_bytes: expected an integer from 1 to 2147483647 (bytes), received ${received}. Write: default_max_bytes = ${remedy}`,
    ]);
  });

  it.each(BAD_LIMITS)("M2 M7: refuses a tool's limit of %s", (literal, received, remedy) => {
    expect(faultsOf(`[worker.tool_output.per_tool]\nRead = ${literal}`)).toEqual([
      `pod.toml:2:8: error: worker.tool_output.per_tool.Read: expected an integer from 1 to 2147483647 (bytes), received ${received}. Write: Read = ${remedy}`,
    ]);
  });

  it.each([
    ["1", 1],
    ["+1", 1],
    ["0x80", 128],
    ["0b1", 1],
    ["16_384", 16_384],
    ["2147483647", 2_147_483_647],
  ])("M2: accepts %s for both keys", (literal, maxBytes) => {
    const { manifest } = parseManifest(
      `[worker.tool_output]\ndefault_max_bytes = ${literal}\nper_tool = { Read = ${literal} }`,
    );
    expect(manifest.worker.toolOutput).toEqual({ defaultMaxBytes: maxBytes, perTool: { Read: maxBytes } });
  });

  it.each([
    [1, ["small-limit"]],
    [127, ["small-limit"]],
    [128, []],
    [1_048_576, []],
    [1_048_577, ["large-limit"]],
    [2_147_483_647, ["large-limit"]],
  ])("M2: a limit of %i is accepted with the warnings %j", (maxBytes, codes) => {
    // Mutant seen to fail: `<` as `<=` and `>` as `>=`.
    const asDefault = parseManifest(`[worker.tool_output]\ndefault_max_bytes = ${maxBytes}`).warnings;
    const ofTool = parseManifest(`[worker.tool_output.per_tool]\n"a.b" = ${maxBytes}`).warnings;
    expect(asDefault.map((warning) => warning.code)).toEqual(codes);
    expect(ofTool.map((warning) => warning.code)).toEqual(codes);
    expect(asDefault.every((warning) => warning.path === "worker.tool_output.default_max_bytes")).toBe(true);
    expect(ofTool.every((warning) => warning.path === 'worker.tool_output.per_tool."a.b"')).toBe(true);
  });
});

describe("unknown keys", () => {
  it.each([
    ["default_max_byte", "default_max_bytes"],
    ["defaultMaxBytes", "default_max_bytes"],
    ["default-max-bytes", "default_max_bytes"],
    ["max_bytes", "default_max_bytes"],
    ["max", "default_max_bytes"],
    ["default", "default_max_bytes"],
    ["per_tools", "per_tool"],
    ["perTool", "per_tool"],
    ["tools", "per_tool"],
    ["turn_max_byte", "turn_max_bytes"],
    ["turnMaxBytes", "turn_max_bytes"],
    ["turn_budget", "turn_max_bytes"],
    ["Keep", "keep"],
    ["keep_end", "keep"],
  ])("M3: %s in worker.tool_output is a warning that names %s", (key, nearest) => {
    const { manifest, warnings } = parseManifest(`[worker.tool_output]\n${key} = 5`, { file: "pod.toml" });
    expect(manifest.worker.toolOutput.defaultMaxBytes).toBe(DEFAULT_MAX_BYTES);
    expect(warnings).toEqual([
      {
        code: "unknown-key",
        path: `worker.tool_output.${key}`,
        nearest: `worker.tool_output.${nearest}`,
        file: "pod.toml",
        line: 2,
        column: 1,
        message: `pod.toml:2:1: warning: worker.tool_output.${key}: expected default_max_bytes, default_max_tokens, turn_max_bytes, turn_max_tokens, keep or per_tool, received an unknown key, which is ignored. Write: ${nearest}`,
      },
    ]);
  });

  it.each([
    ["[workers]", "workers", "worker"],
    ["[Worker]", "Worker", "worker"],
    ["[WORKER.tool_output]", "WORKER", "worker"],
    ["[wroker.tool_output]", "wroker", "worker"],
    ["[[workers]]", "workers", "worker"],
    ["[tool_output]", "tool_output", "worker.tool_output"],
    ["[toolOutput]", "toolOutput", "worker.tool_output"],
    ['["worker.tool_output"]', '"worker.tool_output"', "worker.tool_output"],
    ["[worker.tool-output]", "worker.tool-output", "worker.tool_output"],
    ["[worker.toolOutput]", "worker.toolOutput", "worker.tool_output"],
    ["[worker.tool_outputs]", "worker.tool_outputs", "worker.tool_output"],
    ["[worker.tool_ouptut]", "worker.tool_ouptut", "worker.tool_output"],
    ["[worker.tol_outputs]", "worker.tol_outputs", "worker.tool_output"],
    ['[worker."Tool Output"]', 'worker."Tool Output"', "worker.tool_output"],
    ["[worker.worker_tool_output]", "worker.worker_tool_output", "worker.tool_output"],
  ])("M3: %s is a near miss", (toml, path, nearest) => {
    const { warnings } = parseManifest(`${toml}\ndefault_max_bytes = 5`, { file: "pod.toml" });
    const column = toml.indexOf(path) + (path.startsWith("worker.") ? "worker.".length : 0) + 1;
    expect(warnings).toEqual([
      {
        code: "near-miss",
        path,
        nearest,
        file: "pod.toml",
        line: 1,
        column,
        message: `pod.toml:1:${column}: warning: ${path}: expected ${nearest}, received a key that is nearly the same, and is ignored. Write: [worker.tool_output]`,
      },
    ]);
  });

  it.each([
    "docker",
    "walker",
    "work",
    "tools",
    "output",
    "models",
    "constructor",
    "__proto__",
    "default_max_bytes",
    "per_tool",
  ])("M3 M11: %s is the name of no section of ours, and is left alone", (name) => {
    // Mutant seen to fail: a distance of 2 for `worker`.
    const toml = `[${name}]\nsecret = "s"\n[worker.${name}]\nsecret = "s"`;
    expect(parseManifest(toml)).toEqual(parseManifest(""));
  });

  it("M3: a near miss deeper in a section that is not ours is left alone", () => {
    expect(parseManifest("[pod.worker.tool-output]\nworkers = 4").warnings).toEqual([]);
  });

  it("M3 M7: an unknown key is shown on one printable line of at most 80 characters", () => {
    const key = `\\u001b[31m\\u009b\\u202e\\n${"k".repeat(500)}`;
    const [warning] = parseManifest(`[worker.tool_output]\n"${key}" = 5`).warnings;
    const shown = `"\\u001B[31m\\u009B\\u202E\\u000A${"k".repeat(49)}…"`;
    expect(shown).toHaveLength(80);
    expect(warning?.path).toBe(`worker.tool_output.${shown}`);
  });
});

describe("unquoted names", () => {
  const received = "expected a tool's name in quotes, received nested tables, which dots outside quotes make";

  it.each([
    ["mcp.srv.Read = 5", [["mcp.srv.Read", '"mcp.srv.Read" = 5']]],
    ["mcp.srv.Read = '4k'", [["mcp.srv.Read", '"mcp.srv.Read" = 4096']]],
    ["mcp.srv.Read = {}", [["mcp.srv.Read", '"mcp.srv.Read" = 16384']]],
    ["mcp.srv.Read = { max_bytes = 9 }", [["mcp.srv.Read", '"mcp.srv.Read" = 9']]],
    ["mcp.Read = { max_bytes = 9, keep = 'tail' }", [["mcp.Read", '"mcp.Read" = { max_bytes = 9, keep = "tail" }']]],
    ["mcp.Read = { max_bytes = '9', keep = 'tail' }", [["mcp.Read", '"mcp.Read" = { keep = "tail" }']]],
    ["mcp.Read = { max_bytes = 0, keep = 'SECRET' }", [["mcp.Read", '"mcp.Read" = 16384']]],
    ["mcp.keep.get = 5", [["mcp.keep.get", '"mcp.keep.get" = 5']]],
    ["mcp.max_bytes.get = 5", [["mcp.max_bytes.get", '"mcp.max_bytes.get" = 5']]],
    ["redis.peek = 5", [["redis.peek", '"redis.peek" = 5']]],
    ['mcp."a/b"."c\\"d" = 5', [['mcp."a/b"."c\\"d"', '"mcp.a/b.c\\"d" = 5']]],
    [
      "mcp.Read = 5\nmcp.Write = 6",
      [
        ["mcp.Read", '"mcp.Read" = 5'],
        ["mcp.Write", '"mcp.Write" = 6'],
      ],
    ],
    ["[worker.tool_output.per_tool.Read]\nmax = 5", [["Read.max", '"Read.max" = 5']]],
    ["__proto__.constructor = 5", [["__proto__.constructor", '"__proto__.constructor" = 5']]],
  ])("M3: %s under per_tool is an error that says to quote the key", (toml, faults) => {
    const firstLine = toml.startsWith("[") ? 3 : 2;
    expect(faultsOf(`[worker.tool_output.per_tool]\n${toml}`)).toEqual(
      faults.map(
        ([path, remedy], index) =>
          `pod.toml:${index + firstLine}:1: error: worker.tool_output.per_tool.${path}: ${received}. Write: ${remedy}`,
      ),
    );
  });

  it("M3: dots as deep as the file is long make one short fault", () => {
    const faults = faultsOf(`[worker.tool_output.per_tool]\n${"a.".repeat(20_000)}b = 5`);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.length).toBeLessThan(400);
  });

  it("M3: a name with dots or slashes works in quotes", () => {
    const { manifest } = parseManifest('[worker.tool_output.per_tool]\n"mcp__github__get.page" = 4096\n"a/b" = 200');
    expect(resolveLimit(manifest.worker.toolOutput, "mcp__github__get.page")).toEqual({ maxBytes: 4096 });
    expect(resolveLimit(manifest.worker.toolOutput, "a/b")).toEqual({ maxBytes: 200 });
  });
});

describe("names of Object.prototype", () => {
  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype"])(
    "M4: a tool named %s has its own limit",
    (name) => {
      // Mutant seen to fail: the table built by assignment instead of Object.fromEntries.
      for (const key of [name, `"${name}"`]) {
        const { manifest, warnings } = parseManifest(`[worker.tool_output.per_tool]\n${key} = 500`);
        const { toolOutput } = manifest.worker;
        expect(Object.keys(toolOutput.perTool)).toEqual([name]);
        expect(resolveLimit(toolOutput, name)).toEqual({ maxBytes: 500 });
        expect(resolveLimit(toolOutput, "Read")).toEqual({ maxBytes: DEFAULT_MAX_BYTES });
        expect(Object.getPrototypeOf(toolOutput.perTool)).toBe(Object.prototype);
        expect(JSON.stringify(manifest)).toBe(
          `{"worker":{"toolOutput":{"defaultMaxBytes":${DEFAULT_MAX_BYTES},"perTool":{"${name}":500}}}}`,
        );
        expect(warnings).toEqual([]);
      }
    },
  );

  it("M4: a bad limit of a tool named __proto__ is an error, not overlooked", () => {
    expect(faultsOf('[worker.tool_output.per_tool]\n"__proto__" = 0')).toHaveLength(1);
  });

  it.each([
    "[__proto__]\npolluted = 1",
    '[worker."__proto__"]\npolluted = 1',
    '[worker.tool_output."__proto__"]\npolluted = 1\ndefault_max_bytes = 1',
    "__proto__.worker.tool_output.default_max_bytes = 1",
    "[constructor.prototype]\npolluted = 1",
    "[worker.constructor.prototype]\npolluted = 1",
  ])("M4: pollutes nothing: %j", (toml) => {
    const { manifest } = parseManifest(toml);
    expect(manifest).toEqual(parseManifest("").manifest);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect("polluted" in {}).toBe(false);
  });
});

describe("tools that are not known yet", () => {
  it("M5: a name that no tool has is silent here, and found once the tools are known", () => {
    const { manifest, warnings } = parseManifest("[worker.tool_output.per_tool]\nread = 32768\nGlob = 8192");
    expect(warnings).toEqual([]);
    expect(findUnknownTools(manifest.worker.toolOutput, ["Read", "Glob"])).toEqual([{ name: "read", nearest: "Read" }]);
  });
});

describe("the data", () => {
  const toml = "[workers]\n[worker.tool_output]\ndefault_max_bytes = 100\nunknown = 1\nper_tool = { Read = 32768 }";

  it("M8: is deeply frozen, warnings included", () => {
    // Mutant seen to fail: Object.freeze of the outermost object only.
    const parsed = parseManifest(toml);
    const nodes: unknown[] = [parsed];
    for (const node of nodes) {
      if (typeof node !== "object" || node === null) continue;
      expect(Object.isFrozen(node)).toBe(true);
      nodes.push(...Object.values(node));
    }
    expect(nodes.length).toBeGreaterThan(15);
  });

  it("M8: survives JSON", () => {
    const parsed = parseManifest(toml);
    expect(JSON.parse(JSON.stringify(parsed))).toEqual(parsed);
  });

  it.each(["", toml])("M8: no two parses share an object: %j", (text) => {
    const objects = [parseManifest(text), parseManifest(text), DEFAULT_TOOL_OUTPUT_LIMITS].map(collectObjects);
    expect(new Set(objects.flat()).size).toBe(objects.flat().length);
  });

  it("M8: warnings are returned, each with its code and path", () => {
    expect(parseManifest(toml).warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "near-miss workers",
      "unknown-key worker.tool_output.unknown",
      "small-limit worker.tool_output.default_max_bytes",
    ]);
  });

  it("M11: holds worker.tool_output and nothing of other sections", () => {
    const other = '[models.fast]\nkey = "s"\n[worker]\nmodel = "m"\n[[agents]]\nname = "a"\n';
    const { manifest, warnings } = parseManifest(`${other}[worker.tool_output]\ndefault_max_bytes = 8192`);
    expect(manifest).toEqual(parseManifest("[worker.tool_output]\ndefault_max_bytes = 8192").manifest);
    expect(warnings).toEqual([]);
  });
});

describe("forms of the file", () => {
  it.each([
    ["CRLF", "[worker.tool_output]\r\ndefault_max_bytes = 8192\r\n"],
    ["a BOM", "\uFEFF[worker.tool_output]\ndefault_max_bytes = 8192"],
    ["a BOM and CRLF", "\uFEFF[worker.tool_output]\r\ndefault_max_bytes = 8192"],
    ["an inline table", "worker = { tool_output = { default_max_bytes = 8192 } }"],
    ["no final newline and a comment", "[worker.tool_output]\ndefault_max_bytes = 8192 # bytes"],
  ])("M7: %s is fine", (_form, toml) => {
    expect(parseManifest(toml).manifest.worker.toolOutput.defaultMaxBytes).toBe(8192);
  });
});

function collectObjects(root: object): readonly object[] {
  return [root, ...Object.values(root).flatMap((value) => (typeof value === "object" ? collectObjects(value) : []))];
}
