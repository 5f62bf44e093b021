import { resolveLimit } from "@pod/tool-output-cap";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Layer } from "../src/layer.js";
import { mergeLayers } from "../src/merge-layers.js";
import { readOverrides } from "../src/read-overrides.js";
import { readTomlLayer } from "../src/read-toml-layer.js";

const law = { numRuns: Number(process.env.POD_LAW_RUNS ?? (process.env.CI ? 10_000 : 1_000)) };

const bytes = fc.integer({ min: 128, max: 5000 });
const keep = fc.constantFrom("head", "tail", "ends");
const entry = fc.oneof(
  bytes,
  fc.record({ maxBytes: bytes, keep }, { requiredKeys: ["maxBytes"] }),
  fc.record({ keep }),
);
const name = fc.constantFrom("Read", "Bash", "__proto__", "keep");
const section = fc.record(
  {
    defaultMaxBytes: bytes,
    turnMaxBytes: fc.integer({ min: 1024, max: 5000 }),
    keep,
    perTool: fc
      .uniqueArray(fc.tuple(name, entry), { selector: ([key]) => key, maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  },
  { requiredKeys: [] },
);
type Section = Parameters<typeof writeToml>[0];
const sections = fc.record({ user: section, project: section, override: section }, { requiredKeys: [] });
type Sections = { readonly user?: Section; readonly project?: Section; readonly override?: Section };
const ceiling = fc.option(bytes, { nil: undefined });

describe("laws", () => {
  it("M6: layers are the highest word on each key and each entry, and no limit is above the ceiling", () => {
    // Mutants seen to fail: the layers in the other order; the ceiling applied to the budget; entries merged key by key.
    fc.assert(
      fc.property(sections, ceiling, (all, maxBytes) => {
        const { toolOutput } = mergeLayers(readLayers(all), maxBytes).manifest.worker;
        const merged = mergeNaively(all);
        const bound = (stated: number) => Math.min(stated, maxBytes ?? stated);
        const defaultMaxBytes = bound(merged.defaultMaxBytes);
        expect([toolOutput.defaultMaxBytes, toolOutput.turnMaxBytes]).toEqual([defaultMaxBytes, merged.turnMaxBytes]);
        expect(Object.keys(toolOutput.perTool).sort()).toEqual([...merged.perTool.keys()].sort());
        for (const [tool, said] of [...merged.perTool, ["toString", {}] as const]) {
          const expected = { maxBytes: defaultMaxBytes, ...(merged.keep && { keep: merged.keep }), ...said };
          expect(resolveLimit(toolOutput, tool)).toEqual({ ...expected, maxBytes: bound(expected.maxBytes) });
        }
      }),
      law,
    );
  });

  it("M10: each origin is the highest layer that has the key, over all others that have it", () => {
    // Mutant seen to fail: the overruled ones from the lowest up.
    fc.assert(
      fc.property(sections, (all) => {
        const { origins } = mergeLayers(readLayers(all));
        const layersWith = (has: (each: Section) => boolean) =>
          LAYERS.toReversed().filter((layer) => has(all[layer] ?? {}));
        const told = (origin: Told | undefined) =>
          origin ? [origin, ...origin.overruled].map(({ layer }) => layer) : [];
        expect(told(origins.default)).toEqual([
          ...layersWith((each) => each.defaultMaxBytes !== undefined),
          "built-in",
        ]);
        expect(told(origins.turn)).toEqual(layersWith((each) => each.turnMaxBytes !== undefined));
        expect(told(origins.keep)).toEqual(layersWith((each) => each.keep !== undefined));
        for (const [tool, origin] of Object.entries(origins.perTool)) {
          expect(told(origin)).toEqual(layersWith((each) => Object.hasOwn(each.perTool ?? {}, tool)));
        }
      }),
      law,
    );
  });

  it("M2: there is a warning for each limit in force that is above the budget in force, and no other", () => {
    // Mutants seen to fail: `<` for `<=`; overruled limits compared too.
    fc.assert(
      fc.property(sections, ceiling, (all, maxBytes) => {
        const { warnings } = mergeLayers(readLayers(all), maxBytes);
        const { defaultMaxBytes, turnMaxBytes = Number.POSITIVE_INFINITY, perTool } = mergeNaively(all);
        const stated = [...perTool.values()].flatMap((said) => said.maxBytes ?? []);
        const above = [defaultMaxBytes, ...stated].filter((each) => Math.min(each, maxBytes ?? each) > turnMaxBytes);
        expect(warnings.filter(({ code }) => code === "limit-above-budget").length).toBe(above.length);
      }),
      law,
    );
  });
});

const LAYERS = ["user", "project", "override"] as const;

interface Told {
  readonly layer: string;
  readonly overruled: readonly { readonly layer: string }[];
}

interface Said {
  readonly maxBytes?: number;
  readonly keep?: string;
}

function readLayers({ user, project, override }: Sections): readonly Layer[] {
  const layers = [
    ...(user ? [readTomlLayer(writeToml(user), { layer: "user", shownFile: "user" })] : []),
    ...(project ? [readTomlLayer(writeToml(project), { layer: "project", shownFile: "project" })] : []),
    ...(override ? [readOverrides(override)] : []),
  ];
  expect(layers.flatMap(({ error }) => error ?? [])).toEqual([]);
  return layers;
}

/** What the layers say together, by no code of ours: later spreads win. */
function mergeNaively(all: Sections) {
  const inOrder = LAYERS.map((layer) => all[layer] ?? {});
  const tools = inOrder.flatMap(({ perTool = {} }) => Object.entries(perTool));
  const perTool = new Map(
    tools.map(([tool, said]): [string, Said] => [tool, typeof said === "number" ? { maxBytes: said } : said]),
  );
  const merged: Section = Object.assign({}, ...inOrder);
  return { defaultMaxBytes: 16_384, ...merged, perTool };
}

function writeToml(each: {
  readonly defaultMaxBytes?: number;
  readonly turnMaxBytes?: number;
  readonly keep?: string;
  readonly perTool?: Readonly<Record<string, number | Said>>;
}): string {
  const lines = [
    ["default_max_bytes", each.defaultMaxBytes],
    ["turn_max_bytes", each.turnMaxBytes],
    ["keep", each.keep],
  ].flatMap(([key, value]) => (value === undefined ? [] : [`${key} = ${JSON.stringify(value)}`]));
  const entries = Object.entries(each.perTool ?? {}).map(([tool, said]) => {
    if (typeof said === "number") return `${tool} = ${said}`;
    const parts = [
      ...(said.maxBytes === undefined ? [] : [`max_bytes = ${said.maxBytes}`]),
      ...(said.keep === undefined ? [] : [`keep = "${said.keep}"`]),
    ];
    return `${tool} = { ${parts.join(", ")} }`;
  });
  return ["[worker.tool_output]", ...lines, "[worker.tool_output.per_tool]", ...entries].join("\n");
}
