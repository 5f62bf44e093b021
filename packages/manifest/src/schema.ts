import { DEFAULT_TOOL_OUTPUT_LIMITS } from "@pod/tool-output-cap";
import * as z from "zod";
import type { Manifest } from "./manifest.js";
import { isTable } from "./read-toml.js";

/** The largest limit in bytes: what a 32-bit signed integer holds, so that no arithmetic on sizes is ever inexact. */
export const MAX_LIMIT_BYTES = 2_147_483_647;

/** The smallest turn budget in bytes: below it, a few summaries would leave nothing to share. */
export const MIN_TURN_BYTES = 1024;

/** Whether a number is a limit in bytes. */
export function isMaxBytes(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT_BYTES;
}

/** Whether a number is a turn budget in bytes. */
export function isTurnMaxBytes(value: unknown): value is number {
  return isMaxBytes(value) && value >= MIN_TURN_BYTES;
}

/** Whether a value of the parser's is a limit: an integer from 1 to 2^31 - 1. */
export function isLimit(value: unknown): value is bigint {
  return typeof value === "bigint" && value >= 1n && value <= BigInt(MAX_LIMIT_BYTES);
}

/** What an editor shows of a key, by the JSON Schema that is made of this one. */
const DESCRIPTIONS = {
  file: { title: "pod.toml", description: "What Pod reads of a project. Sections that are not Pod's are left alone." },
  worker: { title: "worker", description: "Settings of the worker." },
  toolOutput: {
    title: "worker.tool_output",
    description: "How large a tool's output may be before it enters the model's history.",
    // Here only: to the parser an unknown key is a warning, and an editor has nothing weaker than to flag it.
    additionalProperties: false,
  },
  defaultMaxBytes: {
    title: "default_max_bytes",
    description: "The limit of every tool that per_tool does not name, in UTF-8 bytes, marker included.",
  },
  turnMaxBytes: {
    title: "turn_max_bytes",
    description:
      "The turn budget: what the model receives of all calls of one turn together, in UTF-8 bytes. Left out, nothing but the tools' own limits bounds it.",
  },
  perTool: {
    title: "per_tool",
    description: "Limits of single tools by their registered names. A name with dots or slashes is written in quotes.",
  },
  limit: { title: "limit of one tool", description: "UTF-8 bytes, marker included." },
} as const;

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
  const perTool = z.preprocess(tableToMap, z.map(z.string(), limit.meta(DESCRIPTIONS.limit)));
  const toolOutput = z.object({
    default_max_bytes: defaultLimit.meta(DESCRIPTIONS.defaultMaxBytes),
    turn_max_bytes: budget.optional().meta(DESCRIPTIONS.turnMaxBytes),
    per_tool: perTool.prefault({}).meta(DESCRIPTIONS.perTool),
  });
  const worker = z.object({
    tool_output: z.preprocess(refuseOthers, toolOutput).prefault({}).meta(DESCRIPTIONS.toolOutput),
  });
  return z
    .object({ worker: z.preprocess(refuseOthers, worker).prefault({}).meta(DESCRIPTIONS.worker) })
    .transform(({ worker: { tool_output } }) => {
      const { default_max_bytes, turn_max_bytes, per_tool } = tool_output;
      const toolOutput = {
        defaultMaxBytes: Number(default_max_bytes),
        ...(turn_max_bytes === undefined ? {} : { turnMaxBytes: Number(turn_max_bytes) }),
        perTool: Object.fromEntries(Array.from(per_tool, ([name, maxBytes]) => [name, Number(maxBytes)])),
      };
      return { worker: { toolOutput } };
    })
    .meta(DESCRIPTIONS.file);
}

// To zod a date is an object without properties: it would pass for an empty table.
function refuseOthers(value: unknown): unknown {
  return isTable(value) ? value : null;
}

function tableToMap(value: unknown): unknown {
  return isTable(value) ? new Map(Object.entries(value)) : value;
}
