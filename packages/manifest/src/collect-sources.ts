import { BUILT_IN_LAYER } from "./built-in-layer.js";
import type { Layer } from "./layer.js";
import type { KeepSource, LimitSource } from "./manifest.js";

/** What each layer says of each limit, the highest first. */
export interface CollectedSources {
  readonly ofDefault: readonly LimitSource[];
  readonly ofTurn: readonly LimitSource[];
  readonly ofKeep: readonly KeepSource[];
  readonly perTool: ReadonlyMap<string, readonly LimitSource[]>;
}

/** Sorts what layers say, the built-in one below them, by what it is said of. Tools keep the order in which they come. */
export function collectSources(layers: readonly Layer[]): CollectedSources {
  const ofDefault: LimitSource[] = [];
  const ofTurn: LimitSource[] = [];
  const ofKeep: KeepSource[] = [];
  const perTool = new Map<string, readonly LimitSource[]>();
  for (const layer of [BUILT_IN_LAYER, ...layers]) {
    for (const { toolName, position, maxBytes, keep } of layer.limits) {
      const said = { ...(maxBytes === undefined ? {} : { maxBytes }), ...(keep === undefined ? {} : { keep }) };
      const source = { ...placeOf(layer, position), ...said };
      if (toolName === undefined) ofDefault.unshift(source);
      else perTool.set(toolName, [source, ...(perTool.get(toolName) ?? [])]);
    }
    const { budget, keep } = layer;
    if (budget !== undefined) ofTurn.unshift({ ...placeOf(layer, budget.position), maxBytes: budget.maxBytes });
    if (keep !== undefined) ofKeep.unshift({ ...placeOf(layer, keep.position), keep: keep.keep });
  }
  return { ofDefault, ofTurn, ofKeep, perTool };
}

function placeOf({ layer, file }: Layer, position: { readonly line: number } | undefined) {
  return { layer, ...(file === undefined ? {} : { file }), ...(position && { line: position.line }) };
}
