import type { Keep } from "@pod/tool-output-cap";
import * as z from "zod";
import { KEEPS, type LimitUnit, MAX_LIMIT } from "./limit-values.js";
import { DESCRIPTIONS } from "./schema-descriptions.js";

/** What the entry of one tool says: at least one of these. */
export interface Entry {
  readonly maxBytes?: number;
  readonly maxTokens?: number;
  readonly keep?: Keep;
}

/** The entry of one tool in `per_tool`: a table, or a bare number, which is bytes where nobody has rewritten it. */
export const entrySchema: z.ZodType<Entry> = defineEntry();

/** What an entry of the parser's says, where a bare number counts in a unit; undefined where anything in it is wrong. */
export function readEntry(value: unknown, unit: LimitUnit): Entry | undefined {
  return entrySchema.safeParse(typeof value === "bigint" ? { [`max_${unit}`]: value } : value).data;
}

function defineEntry(): z.ZodType<Entry> {
  const limit = z.bigint().min(1n).max(BigInt(MAX_LIMIT));
  const table = z
    .strictObject({
      max_bytes: limit.optional().meta(DESCRIPTIONS.entryMaxBytes),
      max_tokens: limit.optional().meta(DESCRIPTIONS.entryMaxTokens),
      keep: z.enum(KEEPS).optional().meta(DESCRIPTIONS.entryKeep),
    })
    // Refuses dates too: to zod they are objects without keys.
    .refine((entry) => Object.keys(entry).length > 0)
    .meta(DESCRIPTIONS.entryTable);
  return z
    .union([limit, table])
    .transform((entry) => {
      const { max_bytes, max_tokens, keep } = typeof entry === "bigint" ? { max_bytes: entry } : entry;
      return {
        ...(max_bytes === undefined ? {} : { maxBytes: Number(max_bytes) }),
        ...(max_tokens === undefined ? {} : { maxTokens: Number(max_tokens) }),
        ...(keep === undefined ? {} : { keep }),
      };
    })
    .meta(DESCRIPTIONS.entry);
}
