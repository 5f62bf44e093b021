import { BUILT_IN_LAYER } from "./built-in-layer.js";
import { findWarnings } from "./find-warnings.js";
import type { Layer } from "./layer.js";
import type { LimitOrigin, LimitOrigins, LimitSource, Manifest, ParsedManifest } from "./manifest.js";
import { manifestSchema } from "./schema.js";

/**
 * What layers without a fault say together, the lowest first: one table, made key by key, which is then parsed as one
 * file would be. No limit comes out above the ceiling, which leaves the turn budget alone.
 */
export function mergeLayers(layers: readonly Layer[], ceiling?: number): ParsedManifest {
  const sources = collectSources(layers);
  const origins = {
    default: createOrigin(sources.ofDefault, ceiling),
    ...(sources.ofTurn.length === 0 ? {} : { turn: createOrigin(sources.ofTurn) }),
    perTool: Object.fromEntries(Array.from(sources.perTool, ([name, said]) => [name, createOrigin(said, ceiling)])),
  };
  return deepFreeze({ manifest: parseOrigins(origins), warnings: findWarnings(layers, ceiling), origins });
}

/** What each layer says of each limit, the lowest first. */
function collectSources(layers: readonly Layer[]) {
  const ofDefault: LimitSource[] = [];
  const ofTurn: LimitSource[] = [];
  const perTool = new Map<string, LimitSource[]>();
  for (const { layer, file, limits, budget } of [BUILT_IN_LAYER, ...layers]) {
    const toSource = ({ maxBytes, position }: Pick<Layer["limits"][number], "maxBytes" | "position">): LimitSource => {
      const place = { ...(file === undefined ? {} : { file }), ...(position && { line: position.line }) };
      return { layer, ...place, maxBytes };
    };
    for (const limit of limits) {
      const { toolName } = limit;
      if (toolName === undefined) ofDefault.push(toSource(limit));
      else perTool.set(toolName, [...(perTool.get(toolName) ?? []), toSource(limit)]);
    }
    if (budget !== undefined) ofTurn.push(toSource(budget));
  }
  return { ofDefault, ofTurn, perTool };
}

function createOrigin(sources: readonly LimitSource[], ceiling = Number.POSITIVE_INFINITY): LimitOrigin {
  const [highest, ...overruled] = sources.toReversed();
  if (highest === undefined) throw new Error("a limit that no layer sets: the built-in layer lacks the default");
  const { maxBytes } = highest;
  if (maxBytes <= ceiling) return { ...highest, overruled };
  return { ...highest, maxBytes: ceiling, overruled, loweredFrom: maxBytes };
}

function parseOrigins(origins: LimitOrigins): Manifest {
  const toRaw = ({ maxBytes }: LimitOrigin) => BigInt(maxBytes);
  return manifestSchema.parse({
    worker: {
      tool_output: {
        default_max_bytes: toRaw(origins.default),
        ...(origins.turn === undefined ? {} : { turn_max_bytes: toRaw(origins.turn) }),
        per_tool: Object.fromEntries(Object.entries(origins.perTool).map(([name, origin]) => [name, toRaw(origin)])),
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
