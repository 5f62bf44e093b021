import { readFileSync } from "node:fs";
import { Validator } from "@cfworker/json-schema";
import { type OutputLimit, resolveLimit } from "@pod/tool-output-cap";
import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { ManifestError, parseManifest } from "../src/index.js";
import type { Layer } from "../src/layer.js";
import { mergeLayers } from "../src/merge-layers.js";
import { readOverrides } from "../src/read-overrides.js";
import { readTomlLayer } from "../src/read-toml-layer.js";

const law = { numRuns: Number(process.env.POD_LAW_RUNS ?? (process.env.CI ? 10_000 : 1_000)) };

const validator = new Validator(JSON.parse(readFileSync(new URL("../schema.json", import.meta.url), "utf8")), "7");

type Unit = "bytes" | "tokens";

/** What one layer says, every limit in its unit. */
interface Section {
  readonly unit: Unit;
  readonly ofDefault?: number;
  readonly ofTurn?: number;
  readonly keep?: string;
  readonly perTool: Readonly<Record<string, Entry>>;
}

interface Entry {
  /** Written without a table where the layer's form allows that. */
  readonly isBare?: boolean;
  readonly count?: number;
  readonly keep?: string;
}

const unit = fc.constantFrom<Unit>("bytes", "tokens");
const count = fc.oneof(
  fc.integer({ min: 128, max: 6000 }),
  fc.integer({ min: 536_870_900, max: 536_870_920 }),
  fc.constant(2_147_483_647),
);
const turn = fc.integer({ min: 1024, max: 24_000 });
const keep = fc.constantFrom("head", "tail", "ends");
const toolName = fc.constantFrom("Read", "Bash", "__proto__", "max_tokens", "keep");
const entry = fc.oneof(
  fc.record({ isBare: fc.constant(true), count }),
  fc.record({ count, keep }, { requiredKeys: ["count"] }),
  fc.record({ keep }),
);
const perTool = fc
  .uniqueArray(fc.tuple(toolName, entry), { selector: ([key]) => key, maxLength: 3 })
  .map((entries): Section["perTool"] => Object.fromEntries(entries));
const section = fc.record(
  { unit, ofDefault: count, ofTurn: turn, keep, perTool },
  { requiredKeys: ["unit", "perTool"] },
);
const sections = fc.record({ user: section, project: section, override: section }, { requiredKeys: [] });
type Sections = { readonly [Name in (typeof LAYERS)[number]]?: Section };
const ceiling = fc.option(fc.integer({ min: 1, max: 30_000 }), { nil: undefined });

const LAYERS = ["user", "project", "override"] as const;

describe("laws of layers in mixed units", () => {
  it("M6 M12: the highest word on each limit stands whole, in its own unit, under the ceiling in bytes", () => {
    // Mutants seen to fail: a lower default's tokens kept under a higher one in bytes; bare numbers in the merged unit;
    // tokens lowered to the ceiling.
    fc.assert(
      fc.property(sections, ceiling, (all, maxBytes) => {
        const { toolOutput } = mergeLayers(readLayers(all), maxBytes).manifest.worker;
        const { defaultMaxBytes, defaultMaxTokens, turnMaxBytes, turnMaxTokens } = toolOutput;
        const merged = mergeNaively(all, maxBytes);
        expect(dropAbsent({ maxBytes: defaultMaxBytes, maxTokens: defaultMaxTokens })).toEqual(merged.ofDefault);
        expect(dropAbsent({ maxBytes: turnMaxBytes, maxTokens: turnMaxTokens })).toEqual(merged.ofTurn);
        expect(toolOutput.keep).toBe(merged.keep);
        const entries = Object.entries(toolOutput.perTool).map(([tool, limit]): [string, Partial<OutputLimit>] => [
          tool,
          typeof limit === "number" ? { maxBytes: limit } : limit,
        ]);
        expect(new Map(entries)).toEqual(merged.perTool);
        for (const [tool, limit] of [...merged.perTool, ["toString", merged.ofDefault] as const]) {
          expect(resolveLimit(toolOutput, tool)).toEqual({ ...(merged.keep && { keep: merged.keep }), ...limit });
        }
      }),
      law,
    );
  });

  it("M6 M12: what comes back may be handed on as overrides, and is the same then", () => {
    fc.assert(
      fc.property(sections, ceiling, (all, maxBytes) => {
        const { toolOutput } = mergeLayers(readLayers(all), maxBytes).manifest.worker;
        const again = readOverrides(toolOutput);
        expect(again.error).toBeUndefined();
        expect(mergeLayers([again]).manifest.worker.toolOutput).toEqual(toolOutput);
      }),
      law,
    );
  });

  it("M10 M12: each origin has the figures that are in force, and its own layer's unit", () => {
    fc.assert(
      fc.property(sections, ceiling, (all, maxBytes) => {
        const { origins, manifest } = mergeLayers(readLayers(all), maxBytes);
        const { defaultMaxBytes, defaultMaxTokens, turnMaxBytes, turnMaxTokens, perTool } = manifest.worker.toolOutput;
        expect([origins.default.maxBytes, origins.default.maxTokens]).toEqual([defaultMaxBytes, defaultMaxTokens]);
        expect([origins.turn?.maxBytes, origins.turn?.maxTokens]).toEqual([turnMaxBytes, turnMaxTokens]);
        for (const [tool, limit] of Object.entries(perTool)) {
          const { maxBytes: bytes, maxTokens } = typeof limit === "number" ? { maxBytes: limit } : limit;
          const origin = new Map(Object.entries(origins.perTool)).get(tool);
          expect([origin?.maxBytes, origin?.maxTokens]).toEqual([bytes, maxTokens]);
          for (const source of [origin, ...(origin?.overruled ?? [])]) {
            if (source?.maxBytes === undefined || source === origin) continue;
            const layer = LAYERS.find((name) => name === source.layer);
            expect(source.maxTokens !== undefined).toBe(layer !== undefined && all[layer]?.unit === "tokens");
          }
        }
      }),
      law,
    );
  });

  it("M2 M12: there is a warning for each limit in force that no text can reach within the budget, and no other", () => {
    // Mutants seen to fail: bytes compared alone; tokens compared alone.
    fc.assert(
      fc.property(sections, ceiling, (all, maxBytes) => {
        const { warnings } = mergeLayers(readLayers(all), maxBytes);
        const { ofDefault, ofTurn, stated } = mergeNaively(all, maxBytes);
        const canReach = (limit: Limit) => {
          // The sparsest text that has the bytes, and the densest that has the tokens: one a byte.
          const texts = [
            { bytes: limit.maxBytes, tokens: 0 },
            ...(limit.maxTokens === undefined ? [] : [{ bytes: limit.maxTokens, tokens: limit.maxTokens }]),
          ];
          const isWithin = (figure: number, bound: number | undefined) => bound === undefined || figure <= bound;
          return texts.some(
            ({ bytes, tokens }) => isWithin(bytes, ofTurn.maxBytes) && isWithin(tokens, ofTurn.maxTokens),
          );
        };
        const above = [ofDefault, ...stated].filter((limit) => !canReach(limit));
        expect(warnings.filter(({ code }) => code === "limit-above-budget").length).toBe(above.length);
      }),
      law,
    );
  });
});

const choice = fc.constantFrom<readonly Unit[]>([], ["bytes"], ["tokens"], ["bytes", "tokens"]);
const freeEntry = fc.oneof(
  fc.constant("bare" as const),
  fc.constantFrom<readonly Unit[]>(["bytes"], ["tokens"], ["bytes", "tokens"], []),
);
const freeSection = fc.record({
  ofDefault: choice,
  ofTurn: choice,
  perTool: fc.uniqueArray(fc.tuple(fc.constantFrom("Read", "Bash", "max_bytes"), freeEntry), {
    selector: ([key]) => key,
    maxLength: 3,
  }),
});

describe("the law of one unit in one file", () => {
  it("M7 M9 M12: each place in the other unit is a fault, and no other is; the JSON Schema says the same of the file", () => {
    // Mutants seen to fail: a unit key of the turn overlooked; bare numbers no bytes; `else` left out of the JSON Schema.
    fc.assert(
      fc.property(freeSection, ({ ofDefault, ofTurn, perTool }) => {
        const places: (readonly [path: string, unit: Unit])[] = [];
        const fileUnit = [...ofDefault, ...ofTurn].includes("tokens") ? "tokens" : "bytes";
        const lines = ["[worker.tool_output]"];
        for (const [stem, units] of [
          ["default_max", ofDefault],
          ["turn_max", ofTurn],
        ] as const) {
          for (const each of units) {
            places.push([`${stem}_${each}`, each]);
            lines.push(`${stem}_${each} = 5000`);
          }
        }
        for (const [tool, said] of perTool) {
          const path = `per_tool.${tool}`;
          if (said === "bare") places.push([path, fileUnit]);
          else places.push(...said.map((each) => [`${path}.max_${each}`, each] as const));
          const table = said === "bare" ? [] : [...said.map((each) => `max_${each} = 5000`), "keep = 'tail'"];
          lines.push(`${path} = ${said === "bare" ? "5000" : `{ ${table.join(", ")} }`}`);
        }
        const others = places.filter(([, each]) => each !== fileUnit);
        const isMixed = others.length < places.length;
        const expected = isMixed ? others.map(([path]) => `worker.tool_output.${path}`) : [];
        const toml = lines.join("\n");
        expect([...pathsOfFaults(toml)].sort()).toEqual(expected.sort());
        expect(validator.validate(parse(toml)).valid).toBe(expected.length === 0);
      }),
      law,
    );
  });
});

function pathsOfFaults(toml: string): readonly (string | undefined)[] {
  try {
    parseManifest(toml);
  } catch (error) {
    if (error instanceof ManifestError) return error.faults.map(({ path }) => path);
    throw error;
  }
  return [];
}

interface Limit {
  readonly maxBytes: number;
  readonly maxTokens?: number;
}

/** What the layers say together, by no code of ours: later statements win. */
function mergeNaively(all: Sections, ceiling = Number.POSITIVE_INFINITY) {
  const toLimit = (unit: Unit, figure: number): Limit =>
    unit === "bytes" ? { maxBytes: figure } : { maxBytes: Math.min(figure * 4, 2_147_483_647), maxTokens: figure };
  const lower = (limit: Limit): Limit => ({ ...limit, maxBytes: Math.min(limit.maxBytes, ceiling) });
  let ofDefault: Limit = { maxBytes: 16_384 };
  let ofTurn: Partial<Limit> = {};
  let keep: string | undefined;
  const entries = new Map<string, { readonly limit?: Limit; readonly keep?: string }>();
  for (const layer of LAYERS) {
    const each = all[layer];
    if (each === undefined) continue;
    if (each.ofDefault !== undefined) ofDefault = toLimit(each.unit, each.ofDefault);
    if (each.ofTurn !== undefined) ofTurn = toLimit(each.unit, each.ofTurn);
    keep = each.keep ?? keep;
    for (const [tool, said] of Object.entries(each.perTool)) {
      entries.set(tool, {
        ...(said.count === undefined ? {} : { limit: toLimit(each.unit, said.count) }),
        ...(said.keep === undefined ? {} : { keep: said.keep }),
      });
    }
  }
  const perTool = new Map(
    Array.from(entries, ([tool, said]) => [
      tool,
      { ...lower(said.limit ?? ofDefault), ...(said.keep === undefined ? {} : { keep: said.keep }) },
    ]),
  );
  const stated = Array.from(entries.values(), ({ limit }) => limit).flatMap((limit) => (limit ? [lower(limit)] : []));
  return { ofDefault: lower(ofDefault), ofTurn, keep, perTool, stated };
}

function readLayers({ user, project, override }: Sections): readonly Layer[] {
  const layers = [
    ...(user ? [readTomlLayer(writeToml(user), { layer: "user", shownFile: "user" })] : []),
    ...(project ? [readTomlLayer(writeToml(project), { layer: "project", shownFile: "project" })] : []),
    ...(override ? [readOverrides(toOverrides(override))] : []),
  ];
  expect(layers.flatMap(({ error }) => error ?? [])).toEqual([]);
  return layers;
}

function writeToml({ unit, ofDefault, ofTurn, keep, perTool }: Section): string {
  const lines = [
    ...(ofDefault === undefined ? [] : [`default_max_${unit} = ${ofDefault}`]),
    ...(ofTurn === undefined ? [] : [`turn_max_${unit} = ${ofTurn}`]),
    ...(keep === undefined ? [] : [`keep = "${keep}"`]),
  ];
  const isUnitNamed = unit === "bytes" || ofDefault !== undefined || ofTurn !== undefined;
  const entries = Object.entries(perTool).map(([tool, said]) => {
    if (said.isBare && isUnitNamed) return `${tool} = ${said.count}`;
    const limit = said.count === undefined ? [] : [`max_${unit} = ${said.count}`];
    return `${tool} = { ${[...limit, ...(said.keep === undefined ? [] : [`keep = "${said.keep}"`])].join(", ")} }`;
  });
  return ["[worker.tool_output]", ...lines, "[worker.tool_output.per_tool]", ...entries].join("\n");
}

function toOverrides({ unit, ofDefault, ofTurn, keep, perTool }: Section): object {
  const suffix = unit === "bytes" ? "Bytes" : "Tokens";
  const entries = Object.entries(perTool).map(([tool, { isBare, count, keep }]) => [
    tool,
    isBare && unit === "bytes" ? count : { [`max${suffix}`]: count, keep },
  ]);
  return {
    [`defaultMax${suffix}`]: ofDefault,
    [`turnMax${suffix}`]: ofTurn,
    keep,
    perTool: Object.fromEntries(entries),
  };
}

function dropAbsent(limit: object): object {
  return Object.fromEntries(Object.entries(limit).filter(([, value]) => value !== undefined));
}
