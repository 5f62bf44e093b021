import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LoadManifestOptions, loadManifest } from "../src/index.js";
import { createTree } from "./support/scratch-tree.js";

const USER = "home/.config/pod/pod.toml";
const PROJECT = "home/work/pod.toml";
const SECTION = "[worker.tool_output]";

async function load(files: Readonly<Record<string, string>>, options: LoadManifestOptions = {}) {
  const root = await createTree({ "home/work/": "", ...files });
  const loaded = await loadManifest({ cwd: join(root, "home/work"), env: { HOME: join(root, "home") }, ...options });
  const messages = loaded.warnings.map(({ message }) => message);
  return { root, ...loaded, limits: loaded.manifest.worker.toolOutput, messages };
}

const BYTES = `${SECTION}\ndefault_max_bytes = 8192\nturn_max_bytes = 40000\nper_tool = { Read = 32768, Bash = { keep = "tail" } }`;
const TOKENS = `${SECTION}\ndefault_max_tokens = 5000\nturn_max_tokens = 12000\nper_tool = { Grep = 3000, Glob = { keep = "ends" } }`;

describe("layers in different units", () => {
  it("M6 M12: tokens over bytes: each default and budget replaced whole, each entry in its own unit", async () => {
    // Mutants seen to fail: the lower default's bytes kept as the ceiling; bare numbers in the highest layer's unit.
    const { limits, messages } = await load({ [USER]: BYTES, [PROJECT]: TOKENS });
    expect(limits).toEqual({
      defaultMaxBytes: 20_000,
      defaultMaxTokens: 5000,
      turnMaxBytes: 48_000,
      turnMaxTokens: 12_000,
      perTool: {
        Read: { maxBytes: 32_768 },
        Bash: { maxBytes: 20_000, maxTokens: 5000, keep: "tail" },
        Grep: { maxBytes: 12_000, maxTokens: 3000 },
        Glob: { maxBytes: 20_000, maxTokens: 5000, keep: "ends" },
      },
    });
    expect(messages).toEqual([]);
  });

  it("M6 M12: bytes over tokens: no token of the lower default is left", async () => {
    const { limits } = await load({ [USER]: TOKENS, [PROJECT]: BYTES });
    expect(limits).toEqual({
      defaultMaxBytes: 8192,
      turnMaxBytes: 40_000,
      perTool: {
        Grep: { maxBytes: 12_000, maxTokens: 3000 },
        Glob: { maxBytes: 8192, keep: "ends" },
        Read: { maxBytes: 32_768 },
        Bash: { maxBytes: 8192, keep: "tail" },
      },
    });
  });

  it("M6 M12: a layer without a unit of its own leaves that of the default, and its bare numbers are bytes", async () => {
    const files = { [USER]: TOKENS, [PROJECT]: `${SECTION}\nper_tool = { Read = 4000 }` };
    const { limits } = await load(files);
    expect(limits).toMatchObject({ defaultMaxTokens: 5000, perTool: { Read: { maxBytes: 4000 } } });
    expect(limits.perTool.Read).toEqual({ maxBytes: 4000 });
  });

  it("M6 M12: a turn budget in tokens stands beside limits in bytes of another layer, and each holds", async () => {
    const { limits } = await load({
      [USER]: `${SECTION}\ndefault_max_bytes = 8192`,
      [PROJECT]: `${SECTION}\nturn_max_tokens = 5000`,
    });
    expect(limits).toEqual({ defaultMaxBytes: 8192, turnMaxBytes: 20_000, turnMaxTokens: 5000, perTool: {} });
  });

  it("M10 M12: origins have the unit of each layer's own figure", async () => {
    const { root, origins } = await load(
      { [USER]: BYTES, [PROJECT]: TOKENS },
      { overrides: { defaultMaxTokens: 800 } },
    );
    const [user, project] = [USER, PROJECT].map((file) => join(root, file));
    expect(origins.default).toEqual({
      layer: "override",
      maxBytes: 3200,
      maxTokens: 800,
      overruled: [
        { layer: "project", file: project, line: 2, maxBytes: 20_000, maxTokens: 5000 },
        { layer: "user", file: user, line: 2, maxBytes: 8192 },
        { layer: "built-in", maxBytes: 16_384 },
      ],
    });
    expect(origins.turn).toEqual({
      layer: "project",
      file: project,
      line: 3,
      maxBytes: 48_000,
      maxTokens: 12_000,
      overruled: [{ layer: "user", file: user, line: 3, maxBytes: 40_000 }],
    });
    expect(origins.perTool.Glob).toMatchObject({ maxBytes: 3200, maxTokens: 800, maxBytesIsDefault: true });
    expect(origins.perTool.Read).toEqual({ layer: "user", file: user, line: 4, maxBytes: 32_768, overruled: [] });
  });
});

describe("code over files", () => {
  it("M6 M12: a default of either unit replaces a file's of the other", async () => {
    const tokens = await load({ [PROJECT]: BYTES }, { overrides: { defaultMaxTokens: 2000 } });
    expect(tokens.limits).toMatchObject({
      defaultMaxBytes: 8000,
      defaultMaxTokens: 2000,
      turnMaxBytes: 40_000,
      perTool: { Read: { maxBytes: 32_768 }, Bash: { maxBytes: 8000, maxTokens: 2000, keep: "tail" } },
    });
    const bytes = await load({ [PROJECT]: TOKENS }, { overrides: { defaultMaxBytes: 2000 } });
    expect(bytes.limits).toMatchObject({ defaultMaxBytes: 2000, perTool: { Glob: { maxBytes: 2000, keep: "ends" } } });
    expect("defaultMaxTokens" in bytes.limits).toBe(false);
    expect(bytes.limits.turnMaxTokens).toBe(12_000);
    const turn = await load({ [PROJECT]: TOKENS }, { overrides: { turnMaxBytes: 30_000 } });
    expect(turn.limits.turnMaxBytes).toBe(30_000);
    expect("turnMaxTokens" in turn.limits).toBe(false);
  });

  it("M6 M12: bytes beside tokens are their ceiling, which never lifts the one of four bytes a token", async () => {
    const { limits } = await load(
      {},
      {
        overrides: {
          defaultMaxBytes: 9000,
          defaultMaxTokens: 5000,
          turnMaxBytes: 90_000,
          turnMaxTokens: 12_000,
          perTool: {
            Read: { maxTokens: 8000 },
            Bash: { maxBytes: 700, maxTokens: 500, keep: "tail" },
            Grep: { maxBytes: 90 },
          },
        },
      },
    );
    expect(limits).toEqual({
      defaultMaxBytes: 9000,
      defaultMaxTokens: 5000,
      turnMaxBytes: 48_000,
      turnMaxTokens: 12_000,
      perTool: {
        Read: { maxBytes: 32_000, maxTokens: 8000 },
        Bash: { maxBytes: 700, maxTokens: 500, keep: "tail" },
        Grep: { maxBytes: 90 },
      },
    });
  });

  it.each([
    ["bytes over tokens", TOKENS, BYTES],
    ["tokens over bytes", BYTES, TOKENS],
    ["bytes", BYTES, BYTES],
  ])("M6 M12: the limits of a manifest may be handed on as overrides: %s", async (_what, user, project) => {
    // Mutant seen to fail: bare numbers among tokens in what comes back.
    const { limits } = await load({ [USER]: user, [PROJECT]: project });
    const again = await load({}, { overrides: limits });
    expect(again.limits).toEqual(limits);
  });

  it.each([
    [
      { defaultMaxTokens: "5k" },
      'overrides.defaultMaxTokens: expected an integer from 1 to 2147483647 (tokens), received "5k". Write: defaultMaxTokens: 5000',
    ],
    [
      { turnMaxTokens: 255 },
      "overrides.turnMaxTokens: expected an integer from 256 to 2147483647 (tokens), received 255. Write: turnMaxTokens: 256",
    ],
    [
      { perTool: { Read: { maxTokens: 0 } } },
      "overrides.perTool.Read.maxTokens: expected an integer from 1 to 2147483647 (tokens), received 0. Write: maxTokens: 5000",
    ],
    [
      { defaultMaxTokens: 5000, perTool: { "a.b": 8000, Bash: { maxBytes: 300 } } },
      'overrides.perTool["a.b"]: expected an object with maxTokens or maxBytes, since these overrides name tokens, received 8000. Write: "a.b": { maxTokens: 8000 }',
    ],
    [
      { perTool: { Read: 8000, Bash: { maxTokens: 300 } } },
      "overrides.perTool.Read: expected an object with maxTokens or maxBytes, since these overrides name tokens, received 8000. Write: Read: { maxTokens: 8000 }",
    ],
    [
      { turnMaxTokens: 1, perTool: { Read: 8000 } },
      "overrides.turnMaxTokens: expected an integer from 256 to 2147483647 (tokens), received 1. Write: turnMaxTokens: 256\n<code>: error: overrides.perTool.Read: expected an object with maxTokens or maxBytes, since these overrides name tokens, received 8000. Write: Read: { maxTokens: 8000 }",
    ],
  ])("M7 M12: refuses overrides of %j", async (overrides, message) => {
    await expect(Reflect.apply(loadManifest, undefined, [{ overrides, env: {}, cwd: "/" }])).rejects.toMatchObject({
      message: `<code>: error: ${message}`,
    });
  });

  it("M6 M12: a bare number beside tokens that are left out, or in a file only, is bytes", async () => {
    const overrides = {
      defaultMaxTokens: undefined,
      perTool: { Read: 300, Bash: { maxTokens: undefined, keep: "tail" } },
    };
    const { limits } = await Reflect.apply(load, undefined, [{ [PROJECT]: TOKENS }, { overrides }]);
    expect(limits.perTool).toMatchObject({ Read: { maxBytes: 300 }, Bash: { maxTokens: 5000, keep: "tail" } });
  });
});

describe("the ceiling over limits in tokens", () => {
  it("M6 M12: lowers their bytes, leaves their tokens and the budget, and says so at each place", async () => {
    // Mutants seen to fail: the tokens lowered too; no warning.
    const { limits, messages, origins } = await load(
      {
        [PROJECT]: `${SECTION}\ndefault_max_tokens = 5000\nturn_max_tokens = 12000\nper_tool = { Read = 2500, Grep = 2049, Glob = 2048 }`,
      },
      { ceiling: 8192, overrides: { perTool: { Bash: { maxTokens: 3000 } } } },
    );
    expect(limits).toEqual({
      defaultMaxBytes: 8192,
      defaultMaxTokens: 5000,
      turnMaxBytes: 48_000,
      turnMaxTokens: 12_000,
      perTool: {
        Read: { maxBytes: 8192, maxTokens: 2500 },
        Grep: { maxBytes: 8192, maxTokens: 2049 },
        Glob: { maxBytes: 8192, maxTokens: 2048 },
        Bash: { maxBytes: 8192, maxTokens: 3000 },
      },
    });
    const expected = "expected at most 2048 tokens (8192 bytes, the ceiling, to which its bytes are lowered), received";
    expect(messages).toEqual([
      `pod.toml:2:22: warning: worker.tool_output.default_max_tokens: ${expected} 5000. Write: default_max_tokens = 2048`,
      `pod.toml:4:21: warning: worker.tool_output.per_tool.Read: ${expected} 2500. Write: Read = 2048`,
      `pod.toml:4:34: warning: worker.tool_output.per_tool.Grep: ${expected} 2049. Write: Grep = 2048`,
      `<code>: warning: overrides.perTool.Bash.maxTokens: ${expected} 3000. Write: maxTokens: 2048`,
    ]);
    expect(origins.default).toMatchObject({ maxBytes: 8192, maxTokens: 5000, loweredFrom: 20_000 });
  });

  it("M6 M12: a ceiling below four bytes still leaves a token to write", async () => {
    const { messages } = await load({ [PROJECT]: `${SECTION}\ndefault_max_tokens = 2` }, { ceiling: 3 });
    expect(messages[0]).toMatch(/expected at most 1 tokens \(3 bytes, .*, received 2\. Write: default_max_tokens = 1$/);
  });
});

describe("a limit above the turn budget, in either unit", () => {
  it.each([
    ["tokens", "tokens", 5001, 5000, true],
    ["tokens", "tokens", 5000, 5000, false],
    ["bytes", "tokens", 20_001, 5000, true],
    ["bytes", "tokens", 20_000, 5000, false],
    // A counter says at most one token a byte, so that 5,000 tokens may be 5,000 bytes.
    ["tokens", "bytes", 5001, 5000, true],
    ["tokens", "bytes", 5000, 5000, false],
    ["bytes", "bytes", 5001, 5000, true],
  ])("M2 M12: a limit in %s under a budget in %s: %i, %i: %s", async (unit, budgetUnit, count, budget, isAbove) => {
    // Mutants seen to fail: bytes compared whatever the unit; the budget's tokens for its bytes.
    const { warnings } = await load({
      [USER]: `${SECTION}\nturn_max_${budgetUnit} = ${budget}`,
      [PROJECT]: `${SECTION}\ndefault_max_${unit} = 128\nper_tool = { Read = ${count} }`,
    });
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual(
      isAbove ? ["limit-above-budget worker.tool_output.per_tool.Read"] : [],
    );
  });

  it("M2 M12: says both figures, and what to write in the limit's unit", async () => {
    const inBytes = { [USER]: `${SECTION}\nturn_max_bytes = 5000\ndefault_max_bytes = 200` };
    const inTokens = { [USER]: `${SECTION}\nturn_max_tokens = 3000\ndefault_max_tokens = 200` };
    const place = "what ~/.config/pod/pod.toml:2 allows for a whole batch";
    const read = "warning: worker.tool_output.per_tool.Read:";
    const ofTokens = await load({
      ...inBytes,
      [PROJECT]: `${SECTION}\nturn_max_tokens = 2147483647\nper_tool = { Read = 8000 }`,
    });
    expect(ofTokens.messages).toEqual([]);
    const overBytes = await load({ ...inBytes, [PROJECT]: `${SECTION}\nper_tool = { Read = { max_tokens = 8000 } }` });
    expect(overBytes.messages).toEqual([
      `pod.toml:2:36: ${read.replace("Read", "Read.max_tokens")} expected at most 5000 tokens, ${place} (5000 bytes), received 8000. Write: max_tokens = 5000`,
    ]);
    const overTokens = await load({ ...inTokens, [PROJECT]: `${SECTION}\nper_tool = { Read = 32768 }` });
    expect(overTokens.messages).toEqual([
      `pod.toml:2:21: ${read} expected at most 12000 bytes, ${place} (3000 tokens), received 32768. Write: Read = 12000`,
    ]);
    const lowered = await load(
      { ...inTokens, [PROJECT]: `${SECTION}\nper_tool = { Read = { max_tokens = 8000 } }` },
      { ceiling: 12_000 },
    );
    expect(lowered.warnings.map(({ code }) => code)).toEqual(["above-ceiling"]);
  });

  it("M2 M12: of the built-in default is a warning at a budget in tokens, in a file or in code", async () => {
    const expected = "expected at least 4096 tokens (16384 bytes, the default limit of one result), received";
    const ofFile = await load({ [PROJECT]: `${SECTION}\nturn_max_tokens = 4095` });
    expect(ofFile.messages).toEqual([
      `pod.toml:2:19: warning: worker.tool_output.turn_max_tokens: ${expected} 4095. Write: default_max_tokens = 4095`,
    ]);
    const ofCode = await load({}, { overrides: { turnMaxTokens: 1000 } });
    expect(ofCode.messages).toEqual([
      `<code>: warning: overrides.turnMaxTokens: ${expected} 1000. Write: defaultMaxTokens: 1000`,
    ]);
    expect((await load({ [PROJECT]: `${SECTION}\nturn_max_tokens = 4096` })).messages).toEqual([]);
  });
});
