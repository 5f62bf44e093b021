import { readFileSync } from "node:fs";
import { Validator } from "@cfworker/json-schema";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { createJsonSchema } from "../scripts/create-json-schema.js";
import { ManifestError, parseManifest } from "../src/index.js";
import { BAD_MANIFESTS, GOOD_MANIFESTS } from "./support/manifest-fixtures.js";
import { openInEditor } from "./support/toml-editor.js";

const schemaUrl = new URL("../schema.json", import.meta.url);
const schema = readFileSync(schemaUrl, "utf8");
const validator = new Validator(JSON.parse(schema), "7");

// To JSON Schema 16384.0 is an integer: JSON has one kind of number. Only the parser tells the two apart.
const BAD_TO_EDITORS = BAD_MANIFESTS.filter(
  (toml) => !/= (?:16384\.0|8000\.0|8192\.0|36000\.0|1e3)(?:$|, keep)/.test(toml),
);

/** What is a warning to the parser; an editor has nothing weaker than to flag it. */
const FLAGGED = ["[worker.tool_output]\ndefault_max_byte = 5", "[worker.tool_output.tools]\nRead = 5"];

/** The data of a TOML text as a validator of JSON sees them. */
function toJson(toml: string): unknown {
  const tables = parse(toml, { integersAsBigInt: true });
  return JSON.parse(JSON.stringify(tables, (_key, value) => (typeof value === "bigint" ? Number(value) : value)));
}

describe("schema.json", () => {
  it("M9: is what the schema of the parser gives. Write it anew: pnpm run schema", () => {
    expect(schema).toBe(createJsonSchema());
  });

  it("M9: says of each key of ours what it is, for whoever edits the file", () => {
    const { worker } = JSON.parse(schema).properties;
    const { default_max_bytes, default_max_tokens, turn_max_bytes, turn_max_tokens, keep, per_tool } =
      worker.properties.tool_output.properties;
    const expected = { type: "integer", minimum: 1, maximum: 2_147_483_647 };
    expect(default_max_bytes).toMatchObject({ ...expected, default: 16_384 });
    expect(default_max_tokens).toMatchObject(expected);
    expect(turn_max_bytes).toMatchObject({ ...expected, minimum: 1024 });
    expect(turn_max_tokens).toMatchObject({ ...expected, minimum: 256 });
    expect(keep).toMatchObject({ type: "string", enum: ["head", "tail", "ends"], default: "head" });
    const { additionalProperties: entry } = per_tool;
    expect(entry).toMatchObject({ ...expected, type: ["integer", "object"], additionalProperties: false });
    expect(entry.properties).toMatchObject({
      max_bytes: expected,
      max_tokens: expected,
      keep: { enum: ["head", "tail", "ends"] },
    });
    for (const node of [
      worker,
      worker.properties.tool_output,
      default_max_bytes,
      default_max_tokens,
      turn_max_bytes,
      turn_max_tokens,
      keep,
      per_tool,
      entry,
    ]) {
      expect(node.title.length * node.description.length).toBeGreaterThan(0);
    }
  });
});

describe("a validator", () => {
  it.each(GOOD_MANIFESTS)("M9: accepts what the parser accepts: %j", (toml) => {
    expect(parseManifest(toml).warnings).toEqual([]);
    expect(validator.validate(toJson(toml)).errors).toEqual([]);
  });

  it.each(BAD_TO_EDITORS)("M9: refuses what the parser refuses: %j", (toml) => {
    // Mutants seen to fail: minimum left out; the values of per_tool left out.
    expect(() => parseManifest(toml)).toThrow(ManifestError);
    expect(validator.validate(toJson(toml)).valid).toBe(false);
  });

  it.each(FLAGGED)("M9: flags an unknown key of our section: %j", (toml) => {
    expect(parseManifest(toml).warnings.map(({ code }) => code)).toEqual(["unknown-key"]);
    expect(validator.validate(toJson(toml)).valid).toBe(false);
  });
});

describe("an editor's language server", () => {
  it("M9: accepts the good manifests and flags the bad ones", async () => {
    const directive = `#:schema ${schemaUrl}`;
    const all = [...GOOD_MANIFESTS, ...BAD_TO_EDITORS, ...FLAGGED];
    const diagnostics = await openInEditor(all.map((toml) => `${directive}\n${toml}`));
    const flagged = all.filter((_toml, index) => diagnostics[index]?.length !== 0);
    expect(flagged).toEqual([...BAD_TO_EDITORS, ...FLAGGED]);
    // What is wrong within a table is told there, and not of the table.
    const toldOf = (value: string) => diagnostics[all.indexOf(`[worker.tool_output.per_tool]\n${value}`)];
    expect(toldOf('Read = "32k"')).toContainEqual({ message: '"32k" is not of types "integer", "object"', line: 3 });
    expect(toldOf("Bash = { keep = 'Tail' }")).toContainEqual({
      message: '"Tail" is not one of ["head","tail","ends"]',
      line: 3,
    });
  });
});
