import type { OutputLimit, ToolOutputLimits } from "@pod/tool-output-cap";

/** As dense as path lists, the densest text that tools often return: nothing here counts or learns. */
const BYTES_PER_TOKEN = 1.8;

/** The same limits in bytes alone, 1.8 for a token. Undefined where none is in tokens. */
export function tokensToBytes({
  defaultMaxBytes,
  defaultMaxTokens,
  perTool,
  ...others
}: ToolOutputLimits): ToolOutputLimits | undefined {
  const entries = Object.entries(perTool);
  const isInTokens = ([, entry]: (typeof entries)[number]) =>
    typeof entry === "object" && entry.maxTokens !== undefined;
  if (defaultMaxTokens === undefined && !entries.some(isInTokens)) return undefined;
  return {
    ...others,
    defaultMaxBytes: bytesOf(defaultMaxBytes, defaultMaxTokens),
    perTool: Object.fromEntries(entries.map(([toolName, entry]) => [toolName, convertEntry(entry)])),
  };
}

function convertEntry(entry: number | OutputLimit): number | OutputLimit {
  if (typeof entry === "number") return entry;
  const { maxBytes, maxTokens, ...others } = entry;
  return { ...others, maxBytes: bytesOf(maxBytes, maxTokens) };
}

function bytesOf(maxBytes: number, maxTokens: number | undefined): number {
  return maxTokens === undefined ? maxBytes : Math.min(maxBytes, Math.max(1, Math.floor(maxTokens * BYTES_PER_TOKEN)));
}
