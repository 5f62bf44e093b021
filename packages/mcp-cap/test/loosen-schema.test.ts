import { Validator } from "@cfworker/json-schema";
import { capCallToolResult } from "@pod/tool-output-cap/mcp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json-value.js";
import { loosenSchema } from "../src/loosen-schema.js";
import { numRuns } from "./support/num-runs.js";

describe("an output schema", () => {
  // Mutants seen to fail: `required` kept; `oneOf` kept; each `items` looked into twice.
  it.each<readonly [string, JsonObject, JsonObject]>([
    [
      "what a cut can violate",
      { type: "object", required: ["a"], minProperties: 1, additionalProperties: false },
      { type: "object" },
    ],
    [
      "of a text",
      { type: "string", minLength: 1, maxLength: 9, pattern: "a", format: "uri" },
      { type: "string", maxLength: 9 },
    ],
    [
      "of an array",
      { minItems: 1, maxItems: 9, contains: {}, uniqueItems: true, items: { minItems: 2 } },
      { maxItems: 9, items: {} },
    ],
    ["of choices", { properties: { a: { enum: ["b"] }, c: { const: "d" } } }, { properties: { a: {}, c: {} } }],
    ["but no choice of numbers", { enum: [1, null, true], const: 1 }, { enum: [1, null, true], const: 1 }],
    [
      "below tables, lists and references",
      { $defs: { a: { minItems: 1 } }, allOf: [{ $ref: "#/$defs/a" }], prefixItems: [{ minLength: 1 }] },
      { $defs: { a: {} }, allOf: [{ $ref: "#/$defs/a" }], prefixItems: [{}] },
    ],
    [
      "where one of several must match",
      { oneOf: [{ required: ["a"] }, { $ref: "#/oneOf/0" }], discriminator: {} },
      { anyOf: [{}, { $ref: "#/anyOf/0" }] },
    ],
    [
      "where one schema depends on another",
      { not: {}, if: {}, else: {}, dependencies: { a: ["b"], c: { required: ["d"] } } },
      { dependencies: { c: {} } },
    ],
    [
      "and properties named like keywords stay",
      { properties: { required: { type: "string" }, enum: {} } },
      { properties: { required: { type: "string" }, enum: {} } },
    ],
    [
      "and what a cut cannot violate",
      {
        additionalProperties: { minLength: 1 },
        propertyNames: { pattern: "a" },
        maximum: 5,
        title: "t",
        default: { required: 1 },
      },
      { additionalProperties: {}, propertyNames: { pattern: "a" }, maximum: 5, title: "t", default: { required: 1 } },
    ],
  ])("X5: loses %s", (_what, schema, loosened) => {
    loosenSchema(schema);
    expect(schema).toEqual(loosened);
  });

  it("X5: of any depth is loosened", () => {
    const root: JsonObject = {};
    let schema = root;
    for (let depth = 0; depth < 100_000; depth++) {
      const items: JsonObject = { minItems: 1 };
      schema.items = items;
      schema = items;
    }
    loosenSchema(root);
    expect(schema).toEqual({});
  });

  it("X5: takes the whole value before, and its cut after", () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 300 }), (structuredContent, maxBytes) => {
        const whole = JSON.parse(JSON.stringify(structuredContent));
        const schema = createStrictSchema(whole);
        expect(validate(schema, whole)).toEqual([]);
        loosenSchema(schema);
        const cut = capCallToolResult({ structuredContent: whole }, { maxBytes }).structuredContent;
        expect(validate(schema, whole)).toEqual([]);
        expect(validate(schema, JSON.parse(JSON.stringify(cut)))).toEqual([]);
      }),
      { numRuns: numRuns(5_000) },
    );
  });
});

/** The strictest schema that a value fits: nothing may go, and nothing be another. */
function createStrictSchema(value: unknown): JsonObject {
  if (Array.isArray(value)) {
    return {
      type: "array",
      minItems: value.length,
      maxItems: value.length,
      prefixItems: value.map(createStrictSchema),
      ...(value.length > 0 ? { contains: createStrictSchema(value.at(-1)) } : {}),
    };
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    return {
      type: "object",
      required: entries.map(([key]) => key),
      minProperties: entries.length,
      additionalProperties: false,
      unevaluatedProperties: false,
      oneOf: [{ required: entries.map(([key]) => key) }, { type: "string" }],
      properties: Object.fromEntries(entries.map(([key, member]) => [key, createStrictSchema(member)])),
    };
  }
  if (typeof value === "string") return { type: "string", const: value, minLength: [...value].length, enum: [value] };
  return { const: typeof value === "number" || typeof value === "boolean" ? value : null };
}

function validate(schema: JsonObject, value: unknown): readonly string[] {
  return new Validator(structuredClone(schema), "2020-12").validate(value).errors.map(({ error }) => error);
}
