import { type CollectedSources, collectSources } from "./collect-sources.js";
import { findWarnings } from "./find-warnings.js";
import type { Layer } from "./layer.js";
import type { CompleteLimit } from "./limit-values.js";
import type { KeepOrigin, KeepSource, LimitOrigin, LimitOrigins, LimitSource, ParsedManifest } from "./manifest.js";
import { manifestSchema } from "./schema.js";

/**
 * What layers without a fault say together, the lowest first: one table, made key by key, which is then parsed as one
 * file would be. An entry of `per_tool` is one value, and so are the default and the turn budget, whatever their unit: a
 * higher one replaces it whole. No limit's bytes come out above the ceiling, which leaves tokens and the turn budget alone.
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
  const { maxBytes, maxTokens } = ofDefault;
  const limit = { maxBytes, ...(maxTokens === undefined ? {} : { maxTokens }) };
  return { layer: "built-in", ...highest, ...limit, maxBytesIsDefault: true, overruled };
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

/** The section as one file would have it, every number in a table that says its unit. */
function toRaw(origins: LimitOrigins) {
  const perTool = Object.entries(origins.perTool).map(([name, { maxBytesIsDefault, keep, ...limit }]) => {
    const stated = maxBytesIsDefault ? {} : toRawLimit("max", limit);
    return [name, { ...stated, ...(keep === undefined ? {} : { keep }) }] as const;
  });
  return {
    ...toRawLimit("default_max", origins.default),
    ...(origins.turn === undefined ? {} : toRawLimit("turn_max", origins.turn)),
    ...(origins.keep === undefined ? {} : { keep: origins.keep.keep }),
    per_tool: Object.fromEntries(perTool),
  };
}

/** A limit by its units, as no file writes it: the bytes of one in tokens are its ceiling. */
function toRawLimit(stem: string, { maxBytes, maxTokens }: CompleteLimit) {
  return {
    [`${stem}_bytes`]: BigInt(maxBytes),
    ...(maxTokens === undefined ? {} : { [`${stem}_tokens`]: BigInt(maxTokens) }),
  };
}

function deepFreeze<T extends object>(data: T): T {
  for (const value of Object.values(data)) {
    if (typeof value === "object" && value !== null) deepFreeze(value);
  }
  return Object.freeze(data);
}
