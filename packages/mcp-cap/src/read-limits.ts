import { type Environment, loadManifest } from "@pod/manifest";
import { DEFAULT_TOOL_OUTPUT_LIMITS, type ToolOutputLimits } from "@pod/tool-output-cap";
import type { CapOptions } from "./parse-arguments.js";
import { tokensToBytes } from "./tokens-to-bytes.js";

/** The limits that a user set, and what is odd about them. */
export interface ReadLimits {
  readonly limits: ToolOutputLimits;
  readonly warnings: readonly string[];
}

/**
 * The limits of the command line over those of the manifest, where one is named; else over the default. Files are only read
 * where they are asked for. A limit in tokens becomes one in bytes, 1.8 for a token.
 *
 * @throws ManifestError as a rejection.
 */
export async function readLimits(
  { manifestFile, defaultMaxBytes, perTool }: CapOptions,
  place: { readonly cwd: string; readonly env: Environment },
): Promise<ReadLimits> {
  const overrides = { perTool, ...(defaultMaxBytes === undefined ? {} : { defaultMaxBytes }) };
  if (manifestFile === undefined) return { limits: { ...DEFAULT_TOOL_OUTPUT_LIMITS, ...overrides }, warnings: [] };
  const { manifest, warnings } = await loadManifest({ ...place, file: manifestFile, overrides });
  const messages = warnings.map(({ message }) => message);
  const limits = tokensToBytes(manifest.worker.toolOutput);
  if (limits === undefined) return { limits: manifest.worker.toolOutput, warnings: messages };
  return { limits, warnings: [...messages, TOKENS_WARNING] };
}

const TOKENS_WARNING =
  "mcp-cap: warning: worker.tool_output: expected limits in bytes, received limits in tokens, which mcp-cap cannot count: 1.8 bytes stand for each token. Write: default_max_bytes = …, in a file for mcp-cap";
