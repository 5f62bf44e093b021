import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LoadManifestOptions, loadManifest, ManifestError, parseManifest } from "../src/index.js";
import { BAD_BUDGETS } from "./support/manifest-fixtures.js";
import { createTree } from "./support/scratch-tree.js";

const USER = "home/.config/pod/pod.toml";
const PROJECT = "home/work/pod.toml";
const SECTION = "[worker.tool_output]";

async function load(files: Readonly<Record<string, string>>, options: LoadManifestOptions = {}) {
  const root = await createTree({ "home/work/": "", ...files });
  const loaded = await loadManifest({ cwd: join(root, "home/work"), env: { HOME: join(root, "home") }, ...options });
  return { root, ...loaded };
}

function messageOf(toml: string): string {
  try {
    parseManifest(toml, { file: "pod.toml" });
  } catch (error) {
    if (error instanceof ManifestError) return error.message;
    throw error;
  }
  throw new Error("the manifest was accepted");
}

describe("the turn budget", () => {
  it.each([
    ["1024", 1024],
    ["0x8000", 32_768],
    ["36_000", 36_000],
    ["2147483647", 2_147_483_647],
  ])("M2: accepts turn_max_bytes = %s", (literal, turnMaxBytes) => {
    const { manifest } = parseManifest(`${SECTION}\nturn_max_bytes = ${literal}`);
    expect(manifest.worker.toolOutput).toEqual({ defaultMaxBytes: 16_384, turnMaxBytes, perTool: {} });
  });

  it("M1: is off where nothing sets it, and not a field of the data", () => {
    // Mutant seen to fail: `turnMaxBytes: undefined` in the data, which JSON loses.
    for (const toml of ["", SECTION, `${SECTION}\ndefault_max_bytes = 8192`]) {
      const { manifest, origins } = parseManifest(toml);
      expect("turnMaxBytes" in manifest.worker.toolOutput).toBe(false);
      expect("turn" in origins).toBe(false);
    }
  });

  it.each(BAD_BUDGETS)("M2 M7: refuses turn_max_bytes = %s", (literal, received, remedy) => {
    // Mutant seen to fail: a minimum of 1.
    const expected = "expected an integer from 1024 to 2147483647 (bytes)";
    expect(messageOf(`${SECTION}\nturn_max_bytes = ${literal}`)).toBe(
      `pod.toml:2:18: error: worker.tool_output.turn_max_bytes: ${expected}, received ${received}. Write: turn_max_bytes = ${remedy}`,
    );
  });

  it.each([
    [1023, "1023", "turnMaxBytes: 1024"],
    [0, "0", "turnMaxBytes: 32768, or leave it out for no budget"],
    ["36k", '"36k"', "turnMaxBytes: 36864"],
    [5000n, "5000n", "turnMaxBytes: 5000"],
    [Number.POSITIVE_INFINITY, "Infinity", "turnMaxBytes: 32768, or leave it out for no budget"],
    [null, "null", "turnMaxBytes: 32768, or leave it out for no budget"],
  ])("M6 M7: refuses overrides of %s", async (turnMaxBytes, received, remedy) => {
    const options = { overrides: { turnMaxBytes }, env: {}, cwd: "/" };
    await expect(Reflect.apply(loadManifest, undefined, [options])).rejects.toThrow(
      `<code>: error: overrides.turnMaxBytes: expected an integer from 1024 to 2147483647 (bytes), received ${received}. Write: ${remedy}`,
    );
  });
});

describe("the layers of the turn budget", () => {
  const BYTES = { user: 40_000, project: 90_000, override: 20_000 } as const;
  const subsets = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
    (["user", "project", "override"] as const).filter((_layer, index) => bits & (1 << index)),
  );

  it.each(subsets.map((layers) => ({ layers })))("M6 M10: set by $layers, a ceiling or none", async ({ layers }) => {
    // Mutant seen to fail: the ceiling applied to the budget.
    const toml = (layer: "user" | "project") =>
      `${SECTION}\n${layers.includes(layer) ? `turn_max_bytes = ${BYTES[layer]}` : ""}`;
    const overrides = layers.includes("override") ? { turnMaxBytes: BYTES.override } : { turnMaxBytes: undefined };
    for (const ceiling of [2_147_483_647, 500]) {
      const files = { [USER]: toml("user"), [PROJECT]: toml("project") };
      const { root, manifest, origins } = await Reflect.apply(load, undefined, [files, { overrides, ceiling }]);
      const [highest, ...overruled] = layers.toReversed().map((layer) => ({
        layer,
        ...(layer === "override" ? {} : { file: join(root, layer === "user" ? USER : PROJECT), line: 2 }),
        maxBytes: BYTES[layer],
      }));
      expect(origins.turn).toEqual(highest && { ...highest, overruled });
      expect(manifest.worker.toolOutput.turnMaxBytes).toBe(highest?.maxBytes);
    }
  });
});

describe("a limit above the turn budget", () => {
  const messagesOf = (warnings: readonly { readonly message: string }[]) => warnings.map(({ message }) => message);

  it("M2: is a warning at the limit, which names the place of the budget", async () => {
    const { root, warnings } = await load({
      [USER]: `${SECTION}\nturn_max_bytes = 8192`,
      [PROJECT]: `${SECTION}\ndefault_max_bytes = 8193\nper_tool = { Read = 32768, Grep = 8192 }`,
    });
    const expected = "expected at most 8192 bytes, what ~/.config/pod/pod.toml:2 allows for a whole batch";
    expect(messagesOf(warnings)).toEqual([
      `pod.toml:2:21: warning: worker.tool_output.default_max_bytes: ${expected}, received 8193. Write: default_max_bytes = 8192`,
      `pod.toml:3:21: warning: worker.tool_output.per_tool.Read: ${expected}, received 32768. Write: Read = 8192`,
    ]);
    expect(warnings[1]).toMatchObject({
      code: "limit-above-budget",
      path: "worker.tool_output.per_tool.Read",
      file: join(root, PROJECT),
      line: 3,
      column: 21,
    });
  });

  it("M2: of the built-in default is a warning at the budget, in a file or in code", async () => {
    const { warnings } = parseManifest(`${SECTION}\nturn_max_bytes = 16383`, { file: "pod.toml" });
    const expected = "expected at least 16384 bytes, the default limit of one result, received 16383";
    expect(messagesOf(warnings)).toEqual([
      `pod.toml:2:18: warning: worker.tool_output.turn_max_bytes: ${expected}. Write: default_max_bytes = 16383`,
    ]);
    expect(warnings[0]).toMatchObject({ code: "limit-above-budget", line: 2, column: 18 });
    const ofCode = await load({}, { overrides: { turnMaxBytes: 16_383, perTool: { Read: 16_384 } } });
    expect(messagesOf(ofCode.warnings)).toEqual([
      `<code>: warning: overrides.turnMaxBytes: ${expected}. Write: defaultMaxBytes: 16383`,
      "<code>: warning: overrides.perTool.Read: expected at most 16383 bytes, what <code> allows for a whole batch, received 16384. Write: Read: 16383",
    ]);
  });

  it.each([
    ["a limit of the same size", "turn_max_bytes = 16384\nper_tool = { Read = 16384 }"],
    ["no budget", "default_max_bytes = 1048576"],
  ])("M2: %s is none", (_what, lines) => {
    // Mutant seen to fail: `<=` as `<`.
    expect(parseManifest(`${SECTION}\n${lines}`).warnings).toEqual([]);
  });

  it("M2 M6: counts only what is in force: no overruled limit, no overruled budget", async () => {
    // Mutant seen to fail: every stated limit compared.
    const { warnings } = await load({
      [USER]: `${SECTION}\nturn_max_bytes = 2000\nper_tool = { Read = 60000 }`,
      [PROJECT]: `${SECTION}\nturn_max_bytes = 50000\nper_tool = { Read = 50000 }`,
    });
    expect(warnings).toEqual([]);
  });

  it("M2 M6: counts a limit as the ceiling leaves it, and says so", async () => {
    const file = { [PROJECT]: `${SECTION}\ndefault_max_bytes = 9000\nturn_max_bytes = 4096` };
    expect((await load(file, { ceiling: 4096 })).warnings.map(({ code }) => code)).toEqual(["above-ceiling"]);
    expect(messagesOf((await load(file, { ceiling: 8192 })).warnings)).toEqual([
      expect.stringContaining("the ceiling, to which it is lowered, received 9000. Write: default_max_bytes = 8192"),
      "pod.toml:2:21: warning: worker.tool_output.default_max_bytes: expected at most 4096 bytes, what pod.toml:3 allows for a whole batch, received 8192, to which the ceiling lowers 9000. Write: default_max_bytes = 4096",
    ]);
    expect((await load({}, { overrides: { turnMaxBytes: 2000 }, ceiling: 1000 })).warnings).toHaveLength(1);
  });
});
