import { resolveLimit } from "@pod/tool-output-cap";
import { describe, expect, it } from "vitest";
import { checkManifest } from "../src/command/check-manifest.js";
import { ManifestError, parseManifest } from "../src/index.js";
import { BAD_TOKENS } from "./support/manifest-fixtures.js";
import { createTree } from "./support/scratch-tree.js";

const SECTION = "[worker.tool_output]";

const limitsOf = (lines: string) => parseManifest(`${SECTION}\n${lines}`).manifest.worker.toolOutput;

function messagesOf(lines: string): readonly string[] {
  try {
    parseManifest(`${SECTION}\n${lines}`, { file: "pod.toml" });
  } catch (error) {
    if (error instanceof ManifestError) return error.faults.map(({ message }) => message);
    throw error;
  }
  return [];
}

const BAD_CASES = BAD_TOKENS.map(([lines, ...faults]) => ({
  lines,
  messages: faults.map(
    ([place, key, expected, received, remedy]) =>
      `pod.toml:${place}: error: worker.tool_output.${key}: expected ${expected}, received ${received}. Write: ${remedy}`,
  ),
}));

describe("limits in tokens", () => {
  it.each([
    ["the default", "default_max_tokens = 5000", { defaultMaxBytes: 20_000, defaultMaxTokens: 5000, perTool: {} }],
    [
      "the turn budget alone: the default stays in bytes, and the bare numbers are tokens",
      "turn_max_tokens = 12000\nper_tool = { Read = 8000 }",
      {
        defaultMaxBytes: 16_384,
        turnMaxBytes: 48_000,
        turnMaxTokens: 12_000,
        perTool: { Read: { maxBytes: 32_000, maxTokens: 8000 } },
      },
    ],
    [
      "numbers and tables of tools",
      "default_max_tokens = 5000\nper_tool = { Read = 8000, Grep = 3000, Bash = { max_tokens = 8000, keep = 'tail' }, Glob = { keep = 'ends' } }",
      {
        defaultMaxBytes: 20_000,
        defaultMaxTokens: 5000,
        perTool: {
          Read: { maxBytes: 32_000, maxTokens: 8000 },
          Grep: { maxBytes: 12_000, maxTokens: 3000 },
          Bash: { maxBytes: 32_000, maxTokens: 8000, keep: "tail" },
          Glob: { maxBytes: 20_000, maxTokens: 5000, keep: "ends" },
        },
      },
    ],
    [
      "tables of tools alone: the default stays in bytes",
      "per_tool = { Read = { max_tokens = 8000 }, Glob = { keep = 'ends' } }",
      {
        defaultMaxBytes: 16_384,
        perTool: { Read: { maxBytes: 32_000, maxTokens: 8000 }, Glob: { maxBytes: 16_384, keep: "ends" } },
      },
    ],
  ])("M12: %s", (_what, lines, expected) => {
    // Mutants seen to fail: the bare numbers in bytes; no ceiling; the default's tokens missing where an entry has only keep.
    expect(parseManifest(`${SECTION}\n${lines}`)).toMatchObject({
      manifest: { worker: { toolOutput: expected } },
      warnings: [],
    });
    expect(limitsOf(lines)).toEqual(expected);
  });

  it.each([
    [1, 4],
    [128, 512],
    [536_870_911, 2_147_483_644],
    [536_870_912, 2_147_483_647],
    [2_147_483_647, 2_147_483_647],
  ])("M12: %i tokens have a ceiling of %i bytes", (maxTokens, maxBytes) => {
    // Mutant seen to fail: the bound of 2^31 - 1 left out.
    expect(limitsOf(`default_max_tokens = ${maxTokens}\nper_tool = { Read = { max_tokens = ${maxTokens} } }`)).toEqual({
      defaultMaxBytes: maxBytes,
      defaultMaxTokens: maxTokens,
      perTool: { Read: { maxBytes, maxTokens } },
    });
  });

  it.each([
    [256, 1024],
    [2_147_483_647, 2_147_483_647],
  ])("M12: a turn budget of %i tokens has a ceiling of %i bytes", (turnMaxTokens, turnMaxBytes) => {
    expect(limitsOf(`turn_max_tokens = ${turnMaxTokens}`)).toEqual({
      defaultMaxBytes: 16_384,
      turnMaxBytes,
      turnMaxTokens,
      perTool: {},
    });
  });

  it("M1 M12: leaving everything out is 16,384 bytes, and no tokens", () => {
    for (const lines of ["", "keep = 'tail'", "per_tool = { Read = 8000 }"]) {
      const limits = limitsOf(lines);
      expect(resolveLimit(limits, "Glob").maxBytes).toBe(16_384);
      expect(JSON.stringify(limits)).not.toContain("Tokens");
    }
  });

  it.each(BAD_CASES)("M7 M12: refuses $lines", ({ lines, messages }) => {
    // Mutants seen to fail: only the first place of the other unit; the unit of a file without a section key left open.
    expect(messagesOf(lines)).toEqual(messages);
  });

  it("M7 M12: pod-manifest check tells the same", async () => {
    const cwd = await createTree(
      Object.fromEntries(BAD_CASES.map(({ lines }, index) => [`${index}/pod.toml`, `${SECTION}\n${lines}`])),
    );
    for (const [index, { messages }] of BAD_CASES.entries()) {
      const options = { file: "pod.toml", format: "text" } as const;
      const { stderr, exitStatus } = await checkManifest(options, { cwd: `${cwd}/${index}`, env: {} });
      const errors = stderr.split("\n").filter((line) => line.includes(": error: "));
      expect([errors, exitStatus]).toEqual([messages, 1]);
    }
  });

  it.each([
    [1, ["small-limit"]],
    [127, ["small-limit"]],
    [128, []],
    [262_144, []],
    [262_145, ["large-limit"]],
    [2_147_483_647, ["large-limit"]],
  ])("M2 M12: %i tokens are accepted with the warnings %j", (tokens, codes) => {
    // Mutant seen to fail: the warnings' figures of bytes.
    const asDefault = parseManifest(`${SECTION}\ndefault_max_tokens = ${tokens}`).warnings;
    const ofTool = parseManifest(
      `${SECTION}\nper_tool = { Bash = { keep = 'tail', max_tokens = ${tokens} } }`,
    ).warnings;
    expect(asDefault.map(({ code, path }) => `${code} ${path}`)).toEqual(
      codes.map((code) => `${code} worker.tool_output.default_max_tokens`),
    );
    expect(ofTool.map(({ code, path }) => `${code} ${path}`)).toEqual(
      codes.map((code) => `${code} worker.tool_output.per_tool.Bash.max_tokens`),
    );
  });

  it("M2 M12: a warning states the unit, and says what to write in it", () => {
    const { warnings } = parseManifest(
      `${SECTION}\ndefault_max_tokens = 100\nper_tool = { Read = 300000, Bash = { max_tokens = 5 } }`,
      { file: "pod.toml" },
    );
    const marker = "expected at least 128 tokens, since little more than the marker fits";
    expect(warnings.map(({ message }) => message)).toEqual([
      `pod.toml:2:22: warning: worker.tool_output.default_max_tokens: ${marker}, received 100. Write: default_max_tokens = 128`,
      "pod.toml:3:21: warning: worker.tool_output.per_tool.Read: expected at most 262144 tokens, since a model reads no more, received 300000. Write: Read = 262144",
      `pod.toml:3:51: warning: worker.tool_output.per_tool.Bash.max_tokens: ${marker}, received 5. Write: max_tokens = 128`,
    ]);
  });

  it.each([
    ["default_max_token", "default_max_tokens"],
    ["defaultMaxTokens", "default_max_tokens"],
    ["max_tokens", "default_max_tokens"],
    ["turn_max_token", "turn_max_tokens"],
    ["turn_tokens", "turn_max_tokens"],
  ])("M3 M12: %s is an unknown key that is nearest to %s", (key, nearest) => {
    const [warning, ...others] = parseManifest(`${SECTION}\n${key} = 5000\nper_tool = { Read = 8000 }`).warnings;
    expect([warning?.code, warning?.nearest, others]).toEqual(["unknown-key", `worker.tool_output.${nearest}`, []]);
  });

  it("M3 M12: of two keys as near the one in the file's unit is named", () => {
    const nearestBeside = (line: string) =>
      parseManifest(`${SECTION}\n${line}\nmax = 5`).warnings.map(({ nearest }) => nearest);
    expect(nearestBeside("default_max_tokens = 5000")).toEqual(["worker.tool_output.default_max_tokens"]);
    expect(nearestBeside("default_max_bytes = 5000")).toEqual(["worker.tool_output.default_max_bytes"]);
  });

  it("M4 M12: a tool named max_tokens, default_max_tokens or __proto__ has a limit in tokens like any other", () => {
    const names = ["max_tokens", "default_max_tokens", "__proto__", "constructor"];
    const lines = names.map((name) => `per_tool.${name} = 300`).join("\n");
    const { perTool } = limitsOf(`default_max_tokens = 5000\n${lines}`);
    expect(Object.entries(perTool)).toEqual(names.map((name) => [name, { maxBytes: 1200, maxTokens: 300 }]));
    // As names of tools they say nothing of the unit.
    expect(limitsOf("per_tool = { default_max_tokens = 300 }").perTool).toEqual({ default_max_tokens: 300 });
  });
});

describe("switching from bytes to tokens", () => {
  /** What an app does with a manifest, whatever it says: it hands the limits on, and asks for those of a tool. */
  function readAsApp(toml: string) {
    const { manifest, warnings, origins } = parseManifest(toml, { file: "pod.toml" });
    const limits = manifest.worker.toolOutput;
    return {
      bytesOf: (toolName: string) => resolveLimit(limits, toolName).maxBytes,
      keepOf: (toolName: string) => resolveLimit(limits, toolName).keep,
      turnMaxBytes: limits.turnMaxBytes,
      tools: Object.keys(limits.perTool),
      placeOf: (toolName: string) => `${origins.perTool[toolName]?.file}:${origins.perTool[toolName]?.line}`,
      warnings: warnings.map(({ message }) => message),
      isPlain: JSON.stringify(JSON.parse(JSON.stringify(manifest))) === JSON.stringify(manifest),
    };
  }

  it("M8 M12: needs no change in an app's code: same call, same shape, and bytes that bound everything", () => {
    const write = (unit: string, counts: readonly number[]) =>
      `${SECTION}\ndefault_max_${unit} = ${counts[0]}\nturn_max_${unit} = ${counts[1]}\nkeep = "ends"\n[worker.tool_output.per_tool]\nRead = ${counts[2]}\nBash = { max_${unit} = ${counts[3]}, keep = "tail" }`;
    const inTokens = [5000, 12_000, 8000, 3000];
    const outcomes = [
      readAsApp(
        write(
          "bytes",
          inTokens.map((tokens) => 4 * tokens),
        ),
      ),
      readAsApp(write("tokens", inTokens)),
    ].map(({ bytesOf, keepOf, placeOf, ...others }) => ({
      ...others,
      bytes: ["Read", "Bash", "Glob"].map(bytesOf),
      keeps: ["Read", "Bash", "Glob"].map(keepOf),
      places: ["Read", "Bash"].map(placeOf),
    }));
    expect(outcomes[0]).toEqual(outcomes[1]);
    expect(outcomes[1]).toEqual({
      bytes: [32_000, 12_000, 20_000],
      keeps: ["ends", "tail", "ends"],
      places: ["pod.toml:6", "pod.toml:7"],
      turnMaxBytes: 48_000,
      tools: ["Read", "Bash"],
      warnings: [],
      isPlain: true,
    });
  });
});
