import { DEFAULT_TOOL_OUTPUT_LIMITS, type OutputLimit } from "@pod/tool-output-cap";
import * as z from "zod";
import { type Entry, entrySchema } from "./entry-schema.js";
import { KEEPS, MAX_LIMIT_BYTES, MIN_TURN_BYTES } from "./limit-values.js";
import type { Manifest } from "./manifest.js";
import { isTable } from "./read-toml.js";
import { DESCRIPTIONS } from "./schema-descriptions.js";

/**
 * The tables of `pod.toml`, checked, completed and translated: TOML's snake_case ends in this file. Other sections than
 * ours are left out.
 */
export const manifestSchema: z.ZodType<Manifest> = defineManifest();

function defineManifest(): z.ZodType<Manifest> {
  const limit = z.bigint().min(1n).max(BigInt(MAX_LIMIT_BYTES));
  const budget = z.bigint().min(BigInt(MIN_TURN_BYTES)).max(BigInt(MAX_LIMIT_BYTES));
  const defaultLimit = limit.default(BigInt(DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes));
  // A map, because zod's records drop `__proto__`.
  const perTool = z.preprocess(tableToMap, z.map(z.string(), entrySchema));
  const toolOutput = z.object({
    default_max_bytes: defaultLimit.meta(DESCRIPTIONS.defaultMaxBytes),
    turn_max_bytes: budget.optional().meta(DESCRIPTIONS.turnMaxBytes),
    keep: z.enum(KEEPS).optional().meta(DESCRIPTIONS.keep),
    per_tool: perTool.prefault({}).meta(DESCRIPTIONS.perTool),
  });
  const worker = z.object({
    tool_output: z.preprocess(refuseOthers, toolOutput).prefault({}).meta(DESCRIPTIONS.toolOutput),
  });
  return z
    .object({ worker: z.preprocess(refuseOthers, worker).prefault({}).meta(DESCRIPTIONS.worker) })
    .transform(({ worker: { tool_output } }) => {
      const { default_max_bytes, turn_max_bytes, keep, per_tool } = tool_output;
      const defaultMaxBytes = Number(default_max_bytes);
      const toolOutput = {
        defaultMaxBytes,
        ...(turn_max_bytes === undefined ? {} : { turnMaxBytes: Number(turn_max_bytes) }),
        ...(keep === undefined ? {} : { keep }),
        perTool: Object.fromEntries(
          Array.from(per_tool, ([name, entry]) => [name, completeEntry(entry, defaultMaxBytes)]),
        ),
      };
      return { worker: { toolOutput } };
    })
    .meta(DESCRIPTIONS.file);
}

function completeEntry({ maxBytes, keep }: Entry, defaultMaxBytes: number): number | OutputLimit {
  const completed = maxBytes ?? defaultMaxBytes;
  return keep === undefined ? completed : { maxBytes: completed, keep };
}

// To zod a date is an object without properties: it would pass for an empty table.
function refuseOthers(value: unknown): unknown {
  return isTable(value) ? value : null;
}

function tableToMap(value: unknown): unknown {
  return isTable(value) ? new Map(Object.entries(value)) : value;
}
