import { type CollectedSources, collectSources } from "./collect-sources.js";
import { findWarnings } from "./find-warnings.js";
import type { Layer } from "./layer.js";
import type { KeepOrigin, KeepSource, LimitOrigin, LimitOrigins, LimitSource, ParsedManifest } from "./manifest.js";
import { manifestSchema } from "./schema.js";

/**
 * What layers without a fault say together, the lowest first: one table, made key by key, which is then parsed as one
 * file would be. An entry of `per_tool` is one value: a higher one replaces it whole. No limit comes out above the ceiling,
 * which leaves the turn budget alone.
 */
export function mergeLayers(layers: readonly Layer[], ceiling?: number): ParsedManifest {
  const origins = createOrigins(collectSources(layers), ceiling);
  const manifest = manifestSchema.parse({ worker: { tool_output: toRaw(origins) } });
  return deepFreeze({ manifest, warnings: findWarnings(layers, ceiling), origins });
}

function createOrigins({ ofDefault, ofTurn, ofKeep, perTool }: CollectedSources, ceiling?: number): LimitOrigins {
  const defaultOrigin = createOrigin(ofDefault, ceiling);
  const tools = Array.from(perTool, ([name, said]) => [name, createToolOrigin(said, defaultOrigin, ceiling)] as const);
  return {
    default: defaultOrigin,
    ...(ofTurn.length === 0 ? {} : { turn: createOrigin(ofTurn) }),
    ...createKeepOrigin(ofKeep),
    perTool: Object.fromEntries(tools),
  };
}

function createToolOrigin(sources: readonly LimitSource[], ofDefault: LimitOrigin, ceiling?: number): LimitOrigin {
  const [highest, ...overruled] = sources;
  if (highest?.maxBytes !== undefined) return createOrigin(sources, ceiling);
  const { maxBytes } = ofDefault;
  return { layer: "built-in", ...highest, maxBytes, maxBytesIsDefault: true, overruled };
}

function createOrigin(sources: readonly LimitSource[], ceiling: number = Number.POSITIVE_INFINITY): LimitOrigin {
  const [highest, ...overruled] = sources;
  const { maxBytes } = highest ?? {};
  if (highest === undefined || maxBytes === undefined)
    throw new Error("a limit without bytes: the built-in layer lacks the default");
  if (maxBytes <= ceiling) return { ...highest, maxBytes, overruled };
  return { ...highest, maxBytes: ceiling, overruled, loweredFrom: maxBytes };
}

function createKeepOrigin([highest, ...overruled]: readonly KeepSource[]): { readonly keep?: KeepOrigin } {
  return highest === undefined ? {} : { keep: { ...highest, overruled } };
}

/** The section as one file would have it. */
function toRaw(origins: LimitOrigins) {
  const perTool = Object.entries(origins.perTool).map(([name, { maxBytes, maxBytesIsDefault, keep }]) => {
    const stated = maxBytesIsDefault ? {} : { max_bytes: BigInt(maxBytes) };
    return [name, keep === undefined ? stated.max_bytes : { ...stated, keep }] as const;
  });
  return {
    default_max_bytes: BigInt(origins.default.maxBytes),
    ...(origins.turn === undefined ? {} : { turn_max_bytes: BigInt(origins.turn.maxBytes) }),
    ...(origins.keep === undefined ? {} : { keep: origins.keep.keep }),
    per_tool: Object.fromEntries(perTool),
  };
}

function deepFreeze<T extends object>(data: T): T {
  for (const value of Object.values(data)) {
    if (typeof value === "object" && value !== null) deepFreeze(value);
  }
  return Object.freeze(data);
}
