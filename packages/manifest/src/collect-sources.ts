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
    for (const { toolName, position, maxBytes, maxTokens, keep } of layer.limits) {
      const limit = maxBytes === undefined ? {} : { maxBytes, ...tokensOf(maxTokens) };
      const source = { ...placeOf(layer, position), ...limit, ...(keep === undefined ? {} : { keep }) };
      if (toolName === undefined) ofDefault.unshift(source);
      else perTool.set(toolName, [source, ...(perTool.get(toolName) ?? [])]);
    }
    const { budget, keep } = layer;
    if (budget !== undefined) {
      const { position, maxBytes, maxTokens } = budget;
      ofTurn.unshift({ ...placeOf(layer, position), maxBytes, ...tokensOf(maxTokens) });
    }
    if (keep !== undefined) ofKeep.unshift({ ...placeOf(layer, keep.position), keep: keep.keep });
  }
  return { ofDefault, ofTurn, ofKeep, perTool };
}

function tokensOf(maxTokens: number | undefined) {
  return maxTokens === undefined ? {} : { maxTokens };
}

function placeOf({ layer, file }: Layer, position: { readonly line: number } | undefined) {
  return { layer, ...(file === undefined ? {} : { file }), ...(position && { line: position.line }) };
}
