import { DEFAULT_TOOL_OUTPUT_LIMITS, type OutputLimit, type ToolOutputLimits } from "@pod/tool-output-cap";
import * as z from "zod";
import { type Entry, entrySchema } from "./entry-schema.js";
import { KEEPS, type LimitUnit, MAX_LIMIT, MIN_TURN } from "./limit-values.js";
import type { Manifest } from "./manifest.js";
import { ONE_UNIT } from "./one-unit-schema.js";
import { isTable } from "./read-toml.js";
import { DESCRIPTIONS } from "./schema-descriptions.js";

/**
 * The tables of `pod.toml`, checked, completed and translated: TOML's snake_case ends in this file. Other sections than
 * ours are left out.
 */
export const manifestSchema: z.ZodType<Manifest> = defineManifest();

function defineManifest(): z.ZodType<Manifest> {
  const limit = z.bigint().min(1n).max(BigInt(MAX_LIMIT));
  const budget = (unit: LimitUnit) => z.bigint().min(BigInt(MIN_TURN[unit])).max(BigInt(MAX_LIMIT));
  const defaultLimit = limit.default(BigInt(DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes));
  // A map, because zod's records drop `__proto__`.
  const perTool = z.preprocess(tableToMap, z.map(z.string(), entrySchema));
  const toolOutput = z.object({
    default_max_bytes: defaultLimit.meta(DESCRIPTIONS.defaultMaxBytes),
    default_max_tokens: limit.optional().meta(DESCRIPTIONS.defaultMaxTokens),
    turn_max_bytes: budget("bytes").optional().meta(DESCRIPTIONS.turnMaxBytes),
    turn_max_tokens: budget("tokens").optional().meta(DESCRIPTIONS.turnMaxTokens),
    keep: z.enum(KEEPS).optional().meta(DESCRIPTIONS.keep),
    per_tool: perTool.prefault({}).meta(DESCRIPTIONS.perTool),
  });
  const worker = z.object({
    tool_output: z
      .preprocess(refuseOthers, toolOutput)
      .prefault({})
      .meta({ ...DESCRIPTIONS.toolOutput, ...ONE_UNIT }),
  });
  return z
    .object({ worker: z.preprocess(refuseOthers, worker).prefault({}).meta(DESCRIPTIONS.worker) })
    .transform(({ worker: { tool_output } }) => {
      const { default_max_bytes, default_max_tokens, turn_max_bytes, turn_max_tokens, keep, per_tool } = tool_output;
      const toolOutput = {
        defaultMaxBytes: Number(default_max_bytes),
        ...(default_max_tokens === undefined ? {} : { defaultMaxTokens: Number(default_max_tokens) }),
        ...(turn_max_bytes === undefined ? {} : { turnMaxBytes: Number(turn_max_bytes) }),
        ...(turn_max_tokens === undefined ? {} : { turnMaxTokens: Number(turn_max_tokens) }),
        ...(keep === undefined ? {} : { keep }),
      };
      return { worker: { toolOutput: { ...toolOutput, perTool: completeEntries(per_tool, toolOutput) } } };
    })
    .meta(DESCRIPTIONS.file);
}

function completeEntries(perTool: ReadonlyMap<string, Entry>, all: Omit<ToolOutputLimits, "perTool">) {
  const { defaultMaxBytes, defaultMaxTokens } = all;
  const entries = Array.from(perTool, ([name, entry]): readonly [string, OutputLimit] => {
    if (entry.maxBytes !== undefined) return [name, { ...entry, maxBytes: entry.maxBytes }];
    const tokens = defaultMaxTokens === undefined ? {} : { maxTokens: defaultMaxTokens };
    return [name, { maxBytes: defaultMaxBytes, ...tokens, ...entry }];
  });
  const inTokens = [defaultMaxTokens, all.turnMaxTokens, ...entries.map(([, { maxTokens }]) => maxTokens)];
  // Where tokens are about, no number stands without its unit.
  const isBare = inTokens.every((maxTokens) => maxTokens === undefined);
  return Object.fromEntries(
    entries.map(([name, limit]) => [name, isBare && limit.keep === undefined ? limit.maxBytes : limit]),
  );
}

// To zod a date is an object without properties: it would pass for an empty table.
function refuseOthers(value: unknown): unknown {
  return isTable(value) ? value : null;
}

function tableToMap(value: unknown): unknown {
  return isTable(value) ? new Map(Object.entries(value)) : value;
}
