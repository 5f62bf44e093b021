import { DEFAULT_TOOL_OUTPUT_LIMITS } from "@pod/tool-output-cap";
import { findLimitWarnings } from "./find-limit-warnings.js";
import type { Layer } from "./layer.js";
import type { LimitOrigin, LimitSource, Manifest, ManifestWarning, ParsedManifest } from "./manifest.js";
import { manifestSchema } from "./schema.js";

/**
 * What layers without a fault say together, the lowest first: one table, made key by key, which is then parsed as one
 * file would be. No limit comes out above the ceiling.
 */
export function mergeLayers(layers: readonly Layer[], ceiling?: number): ParsedManifest {
  const sources = collectSources(layers);
  const origins = {
    default: createOrigin(sources.ofDefault, ceiling),
    perTool: Object.fromEntries(Array.from(sources.perTool, ([name, said]) => [name, createOrigin(said, ceiling)])),
  };
  return deepFreeze({
    manifest: parseOrigins(origins.default, Object.entries(origins.perTool)),
    warnings: findWarnings(layers, ceiling),
    origins,
  });
}

/** What is odd in layers, faulty ones too. */
export function findWarnings(layers: readonly Layer[], ceiling?: number): readonly ManifestWarning[] {
  // Of the built-in default only where it counts: nobody could mend it elsewhere.
  const isDefaultSet = layers.some(({ limits }) => limits.some(({ toolName }) => toolName === undefined));
  return (isDefaultSet ? layers : [BUILT_IN, ...layers]).flatMap((layer) => [
    ...layer.warnings,
    ...layer.limits.flatMap((limit) => findLimitWarnings(limit, layer, ceiling)),
  ]);
}

const BUILT_IN: Layer = {
  layer: "built-in",
  shownFile: "<built-in>",
  limits: [
    {
      toolName: undefined,
      maxBytes: DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes,
      path: "worker.tool_output.default_max_bytes",
      assign: (maxBytes) => `default_max_bytes = ${maxBytes}`,
    },
  ],
  warnings: [],
};

/** What each layer says of each limit, the lowest first. */
function collectSources(layers: readonly Layer[]) {
  const ofDefault: LimitSource[] = [];
  const perTool = new Map<string, LimitSource[]>();
  for (const { layer, file, limits } of [BUILT_IN, ...layers]) {
    for (const { toolName, maxBytes, position } of limits) {
      const place = { ...(file === undefined ? {} : { file }), ...(position && { line: position.line }) };
      const source = { layer, ...place, maxBytes };
      if (toolName === undefined) ofDefault.push(source);
      else perTool.set(toolName, [...(perTool.get(toolName) ?? []), source]);
    }
  }
  return { ofDefault, perTool };
}

function createOrigin(sources: readonly LimitSource[], ceiling = Number.POSITIVE_INFINITY): LimitOrigin {
  const [highest, ...overruled] = sources.toReversed();
  if (highest === undefined) throw new Error("a limit that no layer sets: BUILT_IN lacks the default");
  const { maxBytes } = highest;
  if (maxBytes <= ceiling) return { ...highest, overruled };
  return { ...highest, maxBytes: ceiling, overruled, loweredFrom: maxBytes };
}

function parseOrigins(ofDefault: LimitOrigin, perTool: readonly (readonly [string, LimitOrigin])[]): Manifest {
  const toRaw = ({ maxBytes }: LimitOrigin) => BigInt(maxBytes);
  return manifestSchema.parse({
    worker: {
      tool_output: {
        default_max_bytes: toRaw(ofDefault),
        per_tool: Object.fromEntries(perTool.map(([name, origin]) => [name, toRaw(origin)])),
      },
    },
  });
}

function deepFreeze<T extends object>(data: T): T {
  for (const value of Object.values(data)) {
    if (typeof value === "object" && value !== null) deepFreeze(value);
  }
  return Object.freeze(data);
}
