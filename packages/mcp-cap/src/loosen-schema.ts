import { getMember, isJsonObject, type JsonObject, type JsonValue } from "./json-value.js";

/** What a value that was cut may no longer satisfy: members, elements and ends of strings go, and two strings become alike. */
const VIOLATED_BY_A_CUT: readonly string[] = [
  "required",
  "dependentRequired",
  "minProperties",
  "minItems",
  "contains",
  "minContains",
  "maxContains",
  "uniqueItems",
  "minLength",
  "pattern",
  "format",
  // These ask whether a value fails a schema, or which part of it another schema has looked at.
  "not",
  "if",
  "then",
  "else",
  "unevaluatedProperties",
  "unevaluatedItems",
];

const WITH_ONE_SCHEMA: readonly string[] = ["items", "additionalItems", "additionalProperties", "contentSchema"];
const WITH_SCHEMAS_IN_A_LIST: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const WITH_SCHEMAS_BY_NAME: readonly string[] = [
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "$defs",
  "definitions",
];

/** Takes out of an output schema, in place, what a cut can violate, and leaves its shape: names, types and descriptions. */
export function loosenSchema(schema: JsonObject): void {
  // A list and no recursion: a server may nest its schema as deep as it likes.
  const rest: JsonObject[] = [schema];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    for (const keyword of VIOLATED_BY_A_CUT) delete next[keyword];
    if (getMember(next, "additionalProperties") === false) delete next.additionalProperties;
    dropRequiredDependencies(next);
    dropChoices(next);
    loosenAlternatives(next);
    for (const subschema of listSubschemas(next)) rest.push(subschema);
  }
}

/** A number, `true`, `false` and `null` are never cut; a string, an array and an object of a list may be. */
function dropChoices(schema: JsonObject): void {
  const choices = getMember(schema, "enum");
  if (Array.isArray(choices) && choices.some(isCuttable)) delete schema.enum;
  if (isCuttable(getMember(schema, "const"))) delete schema.const;
}

function isCuttable(value: JsonValue | undefined): boolean {
  return typeof value === "string" || Array.isArray(value) || isJsonObject(value);
}

/** Loosened alternatives overlap, so that a value may match several: `oneOf` becomes `anyOf`, and refers to itself so. */
function loosenAlternatives(schema: JsonObject): void {
  delete schema.discriminator;
  const alternatives = getMember(schema, "oneOf");
  if (alternatives !== undefined) {
    delete schema.oneOf;
    if (getMember(schema, "anyOf") === undefined) schema.anyOf = alternatives;
  }
  const reference = getMember(schema, "$ref");
  if (typeof reference === "string" && reference.startsWith("#/"))
    schema.$ref = reference.replaceAll("/oneOf/", "/anyOf/");
}

/** Until draft 7 a dependency was a schema, or a list of required members. */
function dropRequiredDependencies(schema: JsonObject): void {
  const dependencies = getMember(schema, "dependencies");
  if (!isJsonObject(dependencies)) return;
  for (const [key, dependency] of Object.entries(dependencies)) {
    if (Array.isArray(dependency)) delete dependencies[key];
  }
}

function listSubschemas(schema: JsonObject): readonly JsonObject[] {
  const single = WITH_ONE_SCHEMA.map((keyword) => getMember(schema, keyword));
  const listed = WITH_SCHEMAS_IN_A_LIST.map((keyword) => getMember(schema, keyword))
    .filter(Array.isArray)
    .flat();
  const named = WITH_SCHEMAS_BY_NAME.map((keyword) => getMember(schema, keyword))
    .filter(isJsonObject)
    .flatMap((table) => Object.values(table));
  return [...single, ...listed, ...named].filter(isJsonObject);
}
