import type { OutputLimit, ToolOutputLimits } from "@pod/tool-output-cap";

/** The same limits in bytes, those in tokens by their ceilings: nothing here counts tokens. Undefined where none is in tokens. */
export function dropTokens({ defaultMaxTokens, perTool, ...others }: ToolOutputLimits): ToolOutputLimits | undefined {
  const entries = Object.entries(perTool);
  const isInTokens = ([, entry]: (typeof entries)[number]) =>
    typeof entry === "object" && entry.maxTokens !== undefined;
  if (defaultMaxTokens === undefined && !entries.some(isInTokens)) return undefined;
  return {
    ...others,
    perTool: Object.fromEntries(entries.map(([toolName, entry]) => [toolName, dropOfEntry(entry)])),
  };
}

function dropOfEntry(entry: number | OutputLimit): number | OutputLimit {
  if (typeof entry === "number") return entry;
  const { maxTokens: _, ...others } = entry;
  return others;
}
