import * as z from "zod";
import { manifestSchema } from "../src/schema.js";

/** The JSON Schema of `pod.toml`, from the schema that parses it. Draft 7: what editors for TOML read. */
export function createJsonSchema(): string {
  return `${JSON.stringify(toJsonSchema(manifestSchema), undefined, 2)}\n`;
}

function toJsonSchema(schema: z.core.$ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (zodSchema instanceof z.ZodBigInt) {
        const [minimum, maximum] = [Number(zodSchema.minValue), Number(zodSchema.maxValue)];
        Object.assign(jsonSchema, { type: "integer", minimum, maximum });
      }
      if (def.type === "map") {
        const { $schema: _, ...additionalProperties } = toJsonSchema(def.valueType);
        Object.assign(jsonSchema, { type: "object", additionalProperties });
      }
      if (zodSchema instanceof z.ZodUnion) {
        // One type of several kinds: an editor then says which part of a value is wrong, and not that all of it is.
        const options = zodSchema.options.map((option) => toJsonSchema(option));
        for (const { $schema: _, type: __, ...keywords } of options) Object.assign(jsonSchema, keywords);
        Object.assign(jsonSchema, { type: options.map(({ type }) => type) });
        delete jsonSchema.anyOf;
      }
      // An empty table is what stands for a section that is left out: nothing to complete.
      if (def.type === "prefault") delete jsonSchema.default;
      if (def.type === "default") jsonSchema.default = Number(def.defaultValue);
    },
  });
}
