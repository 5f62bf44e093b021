import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LimitSource, type LoadManifestOptions, loadManifest, ManifestError } from "../src/index.js";
import { createTree } from "./support/scratch-tree.js";

const USER = "home/.config/pod/pod.toml";
const PROJECT = "home/work/pod.toml";
const LAYERS = ["user", "project", "override"] as const;
type FileLayer = (typeof LAYERS)[number];

const subsets = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  all.reduce<readonly (readonly T[])[]>((sets, each) => sets.flatMap((set) => [set, set.concat(each)]), [[]]);

// Neither the highest nor the lowest layer has the largest limit: to take the largest or smallest would be seen.
const BYTES = {
  default: { user: 4096, project: 65_536, override: 1024 },
  Read: { user: 32_768, project: 512, override: 8192 },
} as const;
const CEILINGS = [undefined, 2000, 100_000];

const CASES = subsets(LAYERS).flatMap((ofDefault) =>
  subsets(LAYERS).flatMap((ofRead) => CEILINGS.map((ceiling) => ({ ofDefault, ofRead, ceiling }))),
);

async function load(files: Readonly<Record<string, string>>, options: LoadManifestOptions = {}) {
  const root = await createTree({ "home/work/": "", ...files });
  const loaded = await loadManifest({ cwd: join(root, "home/work"), env: { HOME: join(root, "home") }, ...options });
  return { root, ...loaded };
}

async function errorOf(attempt: Promise<unknown>): Promise<ManifestError> {
  const error = await attempt.catch((reason: unknown) => reason);
  if (error instanceof ManifestError) return error;
  throw new Error("no ManifestError");
}

describe("every subset of layers", () => {
  it("M6 M10: are 8 x 8 with 3 ceilings", () => {
    expect(new Set(CASES.map((each) => JSON.stringify(each))).size).toBe(192);
  });

  it.each(CASES)("M6 M10: default by $ofDefault, Read by $ofRead, ceiling $ceiling", async (which) => {
    // Mutants seen to fail: the layers in the other order; the ceiling left out.
    const { ofDefault, ofRead, ceiling } = which;
    const toml = (layer: FileLayer) =>
      [
        "[worker.tool_output]",
        ofDefault.includes(layer) ? `default_max_bytes = ${BYTES.default[layer]}` : "",
        "[worker.tool_output.per_tool]",
        ofRead.includes(layer) ? `Read = ${BYTES.Read[layer]}` : "",
        `${layer} = 700`,
      ].join("\n");
    const overrides = {
      ...(ofDefault.includes("override") ? { defaultMaxBytes: BYTES.default.override } : {}),
      perTool: { ...(ofRead.includes("override") ? { Read: BYTES.Read.override } : {}), override: 700 },
    };
    const { root, manifest, origins } = await load(
      { [USER]: toml("user"), [PROJECT]: toml("project") },
      { overrides, ...(ceiling === undefined ? {} : { ceiling }) },
    );

    const placeOf = (layer: FileLayer, line: number) =>
      layer === "override" ? {} : { file: join(root, layer === "user" ? USER : PROJECT), line };
    const sourcesOf = (key: "default" | "Read", layers: readonly FileLayer[], line: number): LimitSource[] =>
      layers.map((layer) => ({ layer, ...placeOf(layer, line), maxBytes: BYTES[key][layer] }));
    const expectedOrigin = (sources: readonly LimitSource[]) => {
      const [highest, ...overruled] = sources.toReversed();
      const said = highest?.maxBytes ?? 0;
      const bound = ceiling ?? said;
      return said > bound ? { ...highest, maxBytes: bound, overruled, loweredFrom: said } : { ...highest, overruled };
    };
    const builtIn: LimitSource = { layer: "built-in", maxBytes: 16_384 };
    const defaultOrigin = expectedOrigin([builtIn, ...sourcesOf("default", ofDefault, 2)]);
    const readOrigin = expectedOrigin(sourcesOf("Read", ofRead, 4));

    expect(origins.default).toEqual(defaultOrigin);
    expect(origins.perTool.Read).toEqual(ofRead.length === 0 ? undefined : readOrigin);
    expect(manifest.worker.toolOutput).toEqual({
      defaultMaxBytes: defaultOrigin.maxBytes,
      perTool: {
        user: 700,
        project: 700,
        override: 700,
        ...(ofRead.length === 0 ? {} : { Read: readOrigin.maxBytes }),
      },
    });
    expect(Object.keys(origins.perTool).sort()).toEqual(Object.keys(manifest.worker.toolOutput.perTool).sort());
  });
});

describe("merging", () => {
  it("M6 M1: a default never overwrites a value of a lower layer", async () => {
    const { manifest } = await load(
      {
        [USER]: "[worker.tool_output]\ndefault_max_bytes = 4096",
        [PROJECT]: "[worker.tool_output.per_tool]\nRead = 9",
      },
      { overrides: {} },
    );
    expect(manifest.worker.toolOutput).toEqual({ defaultMaxBytes: 4096, perTool: { Read: 9 } });
  });

  it("M6 M7: tells the faults of every layer at once, overruled ones too, each by its own name", async () => {
    // Mutant seen to fail: only the first layer's error thrown.
    const root = await createTree({
      [USER]: "[worker.tool_output.per_tool]\nRead = '1k'",
      [PROJECT]: "[worker.tool_output\ndefault_max_bytes = 0",
    });
    const error = await errorOf(
      loadManifest({
        cwd: join(root, "home/work"),
        env: { HOME: join(root, "home") },
        overrides: { defaultMaxBytes: 0, perTool: { Read: 5, "a.b": 1.5 } },
      }),
    );
    const limit = "expected an integer from 1 to 2147483647 (bytes), received";
    expect(error.message.split("\n")).toEqual([
      `~/.config/pod/pod.toml:2:8: error: worker.tool_output.per_tool.Read: ${limit} "1k". Write: Read = 1024`,
      expect.stringMatching(/^pod\.toml:1:\d+: error: expected TOML, received a syntax error /),
      `<code>: error: overrides.defaultMaxBytes: ${limit} 0. Write: defaultMaxBytes: 16384`,
      `<code>: error: overrides.perTool["a.b"]: ${limit} 1.5. Write: "a.b": 16384`,
    ]);
    expect(error.faults.map(({ code, file, line }) => ({ code, file, line }))).toEqual([
      { code: "invalid-value", file: join(root, USER), line: 2 },
      { code: "syntax", file: join(root, PROJECT), line: 1 },
      { code: "invalid-value" },
      { code: "invalid-value" },
    ]);
    expect(error.code).toBe("invalid-value");
  });

  it("M4 M6 M10: tools named like Object.prototype's own are layered too, and pollute nothing", async () => {
    const names = ["__proto__", "constructor", "toString"];
    const toml = (bytes: number) =>
      `[worker.tool_output.per_tool]\n${names.map((name) => `"${name}" = ${bytes}`).join("\n")}`;
    const { manifest, origins } = await load(
      { [USER]: toml(300), [PROJECT]: toml(400) },
      { overrides: { perTool: Object.fromEntries(names.map((name) => [name, 500])) } },
    );
    for (const data of [manifest.worker.toolOutput.perTool, origins.perTool]) {
      expect(Object.keys(data).sort()).toEqual([...names].sort());
      expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    }
    for (const name of names) {
      expect(Object.getOwnPropertyDescriptor(origins.perTool, name)?.value).toMatchObject({
        maxBytes: 500,
        overruled: [{ maxBytes: 400 }, { maxBytes: 300 }],
      });
    }
    expect("overruled" in {}).toBe(false);
  });

  it("M8 M10: what comes back is plain, deeply frozen data that survives JSON, and shares nothing", async () => {
    const overrides = { perTool: { Read: { maxBytes: 300 } } };
    const files = { [USER]: "[worker.tool_output]\ndefault_max_bytes = 5", [PROJECT]: "" };
    const { root: _root, ...loaded } = await load(files, { overrides, ceiling: 200 });
    expect(JSON.parse(JSON.stringify(loaded))).toEqual(loaded);
    expect(loaded.manifest.worker.toolOutput.perTool).toEqual({ Read: 200 });
    const nodes: unknown[] = [loaded.manifest, loaded.warnings, loaded.origins];
    for (const node of nodes) {
      if (typeof node !== "object" || node === null) continue;
      expect(Object.isFrozen(node)).toBe(true);
      nodes.push(...Object.values(node));
    }
    expect(Object.isFrozen(overrides.perTool.Read)).toBe(false);
  });
});

describe("the ceiling", () => {
  it("M6: names the place of each limit that it lowers, overruled ones too", async () => {
    const { warnings, root, manifest } = await load(
      {
        [USER]: "[worker.tool_output]\ndefault_max_bytes = 2147483647",
        [PROJECT]: "[worker.tool_output]\ndefault_max_bytes = 9000\nper_tool = { Read = 2_147_483_647, Grep = 8192 }",
      },
      { ceiling: 8192, overrides: { perTool: { "a.b": 9000 } } },
    );
    const expected = "expected at most 8192 bytes, the ceiling, to which it is lowered, received";
    expect(warnings.map(({ message }) => message)).toEqual([
      `~/.config/pod/pod.toml:2:21: warning: worker.tool_output.default_max_bytes: ${expected} 2147483647. Write: default_max_bytes = 8192`,
      `pod.toml:2:21: warning: worker.tool_output.default_max_bytes: ${expected} 9000. Write: default_max_bytes = 8192`,
      `pod.toml:3:21: warning: worker.tool_output.per_tool.Read: ${expected} 2147483647. Write: Read = 8192`,
      `<code>: warning: overrides.perTool["a.b"]: ${expected} 9000. Write: "a.b": 8192`,
    ]);
    expect(warnings[2]).toMatchObject({ code: "above-ceiling", file: join(root, PROJECT), line: 3, column: 21 });
    expect(manifest.worker.toolOutput).toEqual({
      defaultMaxBytes: 8192,
      perTool: { Read: 8192, Grep: 8192, "a.b": 8192 },
    });
  });

  it("M6: lowers the built-in default too, and says so where that is in force", async () => {
    const message =
      "<built-in>: warning: worker.tool_output.default_max_bytes: expected at most 1000 bytes, the ceiling, to which it is lowered, received 16384. Write: default_max_bytes = 1000";
    const bare = await load({}, { ceiling: 1000 });
    expect(bare.manifest.worker.toolOutput.defaultMaxBytes).toBe(1000);
    expect(bare.warnings).toEqual([{ code: "above-ceiling", path: "worker.tool_output.default_max_bytes", message }]);
    expect(bare.origins.default).toEqual({ layer: "built-in", maxBytes: 1000, overruled: [], loweredFrom: 16_384 });
    const set = await load({ [PROJECT]: "[worker.tool_output]\ndefault_max_bytes = 900" }, { ceiling: 1000 });
    expect(set.warnings).toEqual([]);
  });
});

describe("overrides", () => {
  it.each([
    ["overrides.defaultMaxBytes", { defaultMaxBytes: "32k" }, '"32k"', "defaultMaxBytes: 32768"],
    ["overrides.defaultMaxBytes", { defaultMaxBytes: 5n }, "5n", "defaultMaxBytes: 5"],
    ["overrides.defaultMaxBytes", { defaultMaxBytes: Number.NaN }, "NaN", "defaultMaxBytes: 16384"],
    ["overrides.defaultMaxBytes", { defaultMaxBytes: null }, "null", "defaultMaxBytes: 16384"],
    ["overrides.perTool.Read", { perTool: { Read: 0 } }, "0", "Read: 16384"],
    ["overrides.perTool.Read", { perTool: { Read: undefined } }, "undefined", "Read: 16384"],
    ["overrides.perTool.Read", { perTool: { Read: {} } }, "an object", "Read: 16384"],
    ["overrides.perTool.Read", { perTool: { Read: { keep: undefined } } }, "an object", "Read: 16384"],
    ["overrides.perTool.Read.maxBytes", { perTool: { Read: { maxBytes: "8k" } } }, '"8k"', "maxBytes: 8192"],
    ["overrides.perTool.Read", { perTool: { Read: [5] } }, "an array", "Read: 16384"],
    ['overrides.perTool["\\u001B[2J"]', { perTool: { "\u001b[2J": 2 ** 31 } }, "2147483648", '"\\u001B[2J": 16384'],
  ])("M6 M7: %s may be a fault: %#", async (path, overrides, received, remedy) => {
    const error = await errorOf(
      Promise.resolve(Reflect.apply(loadManifest, undefined, [{ overrides, env: {}, cwd: "/" }])),
    );
    expect(error.message).toBe(
      `<code>: error: ${path}: expected an integer from 1 to 2147483647 (bytes), received ${received}. Write: ${remedy}`,
    );
  });

  it.each([
    [[], "an array"],
    [new Map([["Read", 5]]), "an object"],
    [5, "5"],
  ])("M6: perTool of %s is a fault, not an empty table", async (perTool, received) => {
    const options = { overrides: { perTool }, env: {}, cwd: "/" };
    const error = await errorOf(Promise.resolve(Reflect.apply(loadManifest, undefined, [options])));
    expect(error.message).toBe(
      `<code>: error: overrides.perTool: expected an object of limits by tool name, received ${received}. Write: perTool: {}`,
    );
  });

  it("M3 M6: unknown keys are warnings that name the nearest", async () => {
    const overrides = { default_max_bytes: 5, perTool: { Read: { maxBytes: 300 } } };
    const { manifest, warnings } = await Reflect.apply(loadManifest, undefined, [{ overrides, env: {}, cwd: "/" }]);
    expect(manifest.worker.toolOutput).toEqual({ defaultMaxBytes: 16_384, perTool: { Read: 300 } });
    expect(warnings).toEqual([
      {
        code: "unknown-key",
        path: "overrides.default_max_bytes",
        nearest: "overrides.defaultMaxBytes",
        message:
          "<code>: warning: overrides.default_max_bytes: expected defaultMaxBytes, defaultMaxTokens, turnMaxBytes, turnMaxTokens, keep or perTool, received an unknown key, which is ignored. Write: defaultMaxBytes",
      },
    ]);
  });

  it("M2 M6: unusual limits are warnings", async () => {
    const { warnings } = await loadManifest({
      overrides: { defaultMaxBytes: 5, perTool: { Read: 2 ** 30 } },
      env: {},
      cwd: "/",
    });
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "small-limit overrides.defaultMaxBytes",
      "large-limit overrides.perTool.Read",
    ]);
  });
});
