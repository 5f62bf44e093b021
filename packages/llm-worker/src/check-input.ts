import { dereference, type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { toPlainJson } from "./plain-json.js";
import type { JsonSchema, MaybePromise, StandardInputSchema, ToolInputSchema } from "./tool.js";

export type CheckedInput =
  | { readonly type: "accepted"; readonly input: unknown }
  | { readonly type: "rejected"; readonly reasons: readonly string[] };

export type InputCheck = (input: unknown) => MaybePromise<CheckedInput>;

/** A check of inputs against a schema. Throws where it is not a valid schema. */
export function compileInputCheck(schema: ToolInputSchema): InputCheck {
  return isStandard(schema) ? (input) => checkStandard(schema, input) : compileJsonSchema(schema);
}

/** The schema as the model receives it: plain, frozen, well-formed JSON. Throws where it cannot be stated as such. */
export function stateInputSchema(schema: ToolInputSchema): JsonSchema {
  // JSON.stringify, unlike toPlainJson, refuses what is not JSON: a circular schema would check less than it says.
  const plain = toPlainJson(JSON.parse(JSON.stringify(isStandard(schema) ? stateStandard(schema) : schema)));
  if (isJsonObject(plain)) return plain;
  throw new TypeError("a JSON Schema of an input is an object");
}

function stateStandard({ "~standard": standard }: StandardInputSchema): JsonSchema {
  if (typeof standard?.jsonSchema?.input === "function") return standard.jsonSchema.input({ target: "draft-2020-12" });
  throw new TypeError(
    "a Standard Schema has to offer ~standard.jsonSchema (zod does from 4.2). Or write a JSON Schema",
  );
}

function isStandard(schema: ToolInputSchema): schema is StandardInputSchema {
  return "~standard" in schema;
}

function isJsonObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function checkStandard(schema: StandardInputSchema, input: unknown): Promise<CheckedInput> {
  const result = await schema["~standard"].validate(input);
  if (result.issues === undefined) return { type: "accepted", input: result.value };
  return { type: "rejected", reasons: result.issues.map(describeIssue) };
}

function describeIssue({ message, path = [] }: StandardSchemaV1.Issue): string {
  const keys = path.map((segment) => String(typeof segment === "object" ? segment.key : segment));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}

function compileJsonSchema(schema: JsonSchema): InputCheck {
  // A copy of its own: the library writes into the schema.
  const own = structuredClone(stateInputSchema(schema)) as Schema;
  expectResolvedRefs(own);
  const validator = new Validator(own, draftOf(own), false);
  return (input) => {
    const { valid, errors } = validator.validate(input);
    if (valid) return { type: "accepted", input };
    return { type: "rejected", reasons: errors.map((unit) => `${unit.instanceLocation}: ${unit.error}`) };
  };
}

// Otherwise the library throws during a check, and only for an input that reaches the $ref.
function expectResolvedRefs(schema: Schema): void {
  const known = dereference(schema);
  for (const part of Object.values(known)) {
    if (typeof part === "boolean" || part.__absolute_ref__ === undefined || part.__absolute_ref__ in known) continue;
    throw new TypeError(`$ref ${JSON.stringify(part.$ref)} names nothing in it. Write the definition into its $defs`);
  }
}

function draftOf({ $schema }: JsonSchema): SchemaDraft {
  const named = /draft[-/](0?4|0?7|2019-09)/.exec(String($schema))?.[1];
  return named === undefined ? "2020-12" : named.endsWith("4") ? "4" : named.endsWith("7") ? "7" : "2019-09";
}
