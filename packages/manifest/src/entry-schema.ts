import type { Keep } from "@pod/tool-output-cap";
import * as z from "zod";
import { KEEPS, MAX_LIMIT_BYTES } from "./limit-values.js";
import { DESCRIPTIONS } from "./schema-descriptions.js";

/** What the entry of one tool says: at least one of the two. */
export interface Entry {
  readonly maxBytes?: number;
  readonly keep?: Keep;
}

/** The entry of one tool in `per_tool`: its limit, or a table. */
export const entrySchema: z.ZodType<Entry> = defineEntry();

/** What an entry of the parser's says; undefined where anything in it is wrong. */
export function readEntry(value: unknown): Entry | undefined {
  return entrySchema.safeParse(value).data;
}

function defineEntry(): z.ZodType<Entry> {
  const limit = z.bigint().min(1n).max(BigInt(MAX_LIMIT_BYTES));
  const table = z
    .strictObject({
      max_bytes: limit.optional().meta(DESCRIPTIONS.entryMaxBytes),
      keep: z.enum(KEEPS).optional().meta(DESCRIPTIONS.entryKeep),
    })
    // Refuses dates too: to zod they are objects without keys.
    .refine((entry) => Object.keys(entry).length > 0)
    .meta(DESCRIPTIONS.entryTable);
  return z
    .union([limit, table])
    .transform((entry) => {
      const { max_bytes, keep } = typeof entry === "bigint" ? { max_bytes: entry } : entry;
      return {
        ...(max_bytes === undefined ? {} : { maxBytes: Number(max_bytes) }),
        ...(keep === undefined ? {} : { keep }),
      };
    })
    .meta(DESCRIPTIONS.entry);
}
