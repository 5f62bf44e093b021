import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type CheckedInput, compileInputCheck, stateInputSchema } from "../src/check-input.js";
import { executeTools } from "../src/execute-tools.js";
import type { JsonSchema, StandardInputSchema, ToolInputSchema } from "../src/tool.js";

const DRAFTS = {
  "4": "http://json-schema.org/draft-04/schema#",
  "6": "http://json-schema.org/draft-06/schema#",
  "7": "http://json-schema.org/draft-07/schema#",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
} as const;

const accepted = (input: unknown): CheckedInput => ({ type: "accepted", input });

async function reasonsOf(schema: ToolInputSchema, input: unknown): Promise<readonly string[]> {
  const checked = await compileInputCheck(schema)(input);
  return checked.type === "rejected" ? checked.reasons : [];
}

function freezeDeep<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freezeDeep);
  return value;
}

describe("a JSON Schema", () => {
  const nested = {
    type: "object",
    properties: {
      "paths/all": { type: "array", items: { type: "object", properties: { line: { type: "integer", minimum: 1 } } } },
    },
    required: ["paths/all"],
    additionalProperties: false,
  };

  it("W1: accepts an input that it describes, and hands it on as it is", async () => {
    const input = { "paths/all": [{ line: 1 }] };
    const checked = await compileInputCheck(nested)(input);
    expect(checked).toEqual(accepted(input));
    expect(checked.type === "accepted" && checked.input === input).toBe(true);
  });

  it("W1: rejects another, with the place of each fault", async () => {
    expect(await reasonsOf(nested, { "paths/all": [{ line: 1 }, { line: 0 }, { line: "x" }] })).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^#\/paths~1all\/1\/line: 0 is less than 1/),
        expect.stringMatching(/^#\/paths~1all\/2\/line: .*"string" is invalid. Expected "integer"/),
      ]),
    );
    expect(await reasonsOf(nested, {})).toEqual(['#: Instance does not have required property "paths/all".']);
    expect(await reasonsOf(nested, { "paths/all": [], more: 1 })).toEqual(
      expect.arrayContaining([expect.stringContaining("#/more")]),
    );
  });

  it.each([
    ["a string, as a model writes that knows no JSON", '{"pattern'],
    ["null", null],
    ["an array", []],
    ["a number", 5],
  ])("W1: rejects what is no object where it wants one: %s", async (_, input) => {
    expect(await reasonsOf({ type: "object" }, input)).toHaveLength(1);
  });

  // Each of these says something else, or nothing, in another draft.
  it.each([
    ["4", { properties: { n: { minimum: 5, exclusiveMinimum: true } } }, { n: 5 }, { n: 6 }],
    ["6", { properties: { list: { items: [{ type: "number" }] } } }, { list: ["x"] }, { list: [1, "x"] }],
    [
      "7",
      { properties: { n: { $ref: "#/definitions/n", maximum: 1 } }, definitions: { n: { type: "number" } } },
      { n: "x" },
      { n: 2 },
    ],
    ["7", { if: { required: ["a"] }, else: { required: ["b"] } }, { c: 1 }, { a: 1 }],
    ["7", { dependencies: { a: ["b"] } }, { a: 1 }, { a: 1, b: 1 }],
    [
      "2019-09",
      { properties: { n: { $ref: "#/$defs/n", maximum: 1 } }, $defs: { n: { type: "number" } } },
      { n: 2 },
      { n: 1 },
    ],
    ["2019-09", { dependentRequired: { a: ["b"] } }, { a: 1 }, { a: 1, b: 1 }],
    [
      "2020-12",
      { properties: { list: { prefixItems: [{ type: "number" }], items: false } } },
      { list: [1, 2] },
      { list: [1] },
    ],
    ["2020-12", { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { b: 1 }, { a: 1 }],
  ] as const)("W1: means what its draft means: %s, %j", async (draft, schema, wrong, right) => {
    const named = { $schema: DRAFTS[draft], type: "object", ...schema };
    expect(await reasonsOf(named, wrong)).not.toEqual([]);
    expect(await compileInputCheck(named)(right)).toEqual(accepted(right));
  });

  // Mutant seen to fail: the newest draft for every schema.
  it("W1: is of the newest draft where it does not say", async () => {
    const schema = { properties: { n: { $ref: "#/$defs/n", maximum: 1 } }, $defs: { n: { type: "number" } } };
    expect(await reasonsOf(schema, { n: 2 })).not.toEqual([]);
    expect(await reasonsOf({ $schema: "some:other", ...schema }, { n: 2 })).not.toEqual([]);
    expect(await reasonsOf({ $schema: DRAFTS[7], ...schema }, { n: 2 })).toEqual([]);
  });

  it("W1: may refer to itself, to its definitions and to its own id", async () => {
    const tree: JsonSchema = {
      $id: "https://example.com/tree",
      type: "object",
      properties: {
        children: { type: "array", items: { $ref: "#" } },
        leaf: { $ref: "#/$defs/leaf" },
        named: { $ref: "#named" },
      },
      $defs: { leaf: { type: "number" }, named: { $anchor: "named", type: "boolean" } },
    };
    expect(await reasonsOf(tree, { children: [{ children: [{ leaf: 1, named: true }] }] })).toEqual([]);
    expect(await reasonsOf(tree, { children: [{ children: [{ leaf: "x" }] }] })).toEqual(
      expect.arrayContaining([expect.stringContaining("#/children/0/children/0/leaf")]),
    );
    expect(await reasonsOf(tree, { named: 1 })).not.toEqual([]);
  });

  // Mutant seen to fail: references not looked at before the first check.
  it.each([
    ["a definition that is not there", { properties: { a: { $ref: "#/$defs/gone" } } }, "#/$defs/gone"],
    [
      "another document",
      { properties: { a: { $ref: "https://example.com/other.json" } } },
      "https://example.com/other.json",
    ],
    ["an anchor that is not there", { items: { anyOf: [{ $ref: "#gone" }] } }, "#gone"],
  ])("W1: is none where it refers to %s", (_, schema, ref) => {
    expect(() => compileInputCheck(schema)).toThrow(`$ref "${ref}" names nothing in it`);
  });

  it("W1: may call a property $ref", async () => {
    expect(await reasonsOf({ properties: { $ref: { type: "string" } } }, { $ref: "x" })).toEqual([]);
  });

  it("W1: checks names of members like `__proto__` and `constructor` like any other", async () => {
    const schema: JsonSchema = JSON.parse('{"properties":{"__proto__":{"type":"string"}},"required":["constructor"]}');
    expect(await reasonsOf(schema, JSON.parse('{"constructor":1,"__proto__":5}'))).not.toEqual([]);
    expect(await reasonsOf(schema, {})).toEqual(['#: Instance does not have required property "constructor".']);
    expect(await reasonsOf(schema, JSON.parse('{"constructor":1,"__proto__":"x"}'))).toEqual([]);
  });

  // Mutant seen to fail: the library gets the schema itself.
  it("W1: is not written into, and what is done to it later changes no check", async () => {
    const schema = { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { type: "string" } } };
    const before = structuredClone(schema);
    const check = compileInputCheck(schema);
    await check({ a: "x" });
    expect(schema).toEqual(before);
    expect([schema, schema.properties.a, schema.$defs.a].flatMap(Reflect.ownKeys)).toEqual(
      [before, before.properties.a, before.$defs.a].flatMap(Reflect.ownKeys),
    );
    schema.$defs.a.type = "number";
    expect(await check({ a: "x" })).toEqual(accepted({ a: "x" }));
    expect(await compileInputCheck(freezeDeep(before))({ a: "x" })).toEqual(accepted({ a: "x" }));
  });

  it("W13: is stated as frozen, well-formed JSON", () => {
    const schema = {
      type: "object",
      description: "\uD800",
      properties: { "\uDC00": { enum: ["\uD800"], default: undefined } },
    };
    const stated = stateInputSchema(schema);
    expect(stated).toEqual({ type: "object", description: "\uFFFD", properties: { "\uFFFD": { enum: ["\uFFFD"] } } });
    expect(Object.isFrozen(stated) && Object.isFrozen(stated.properties)).toBe(true);
  });

  // Mutant seen to fail: `toPlainJson` of the schema itself.
  it.each([
    ["comes back to itself", circularSchema(), /circular/i],
    ["holds a bigint", { minimum: 5n }, /BigInt/],
    [
      "has a getter that throws",
      {
        get type() {
          throw new Error("not to be read");
        },
      },
      /not to be read/,
    ],
    ["states something else in toJSON", { toJSON: () => "object" }, /is an object/],
    ["states nothing in toJSON", { toJSON: () => undefined }, /./],
    ["is an array", [], /is an object/],
  ])("W1: cannot be stated where it %s", (_, schema: object, message) => {
    expect(() => stateInputSchema(schema as JsonSchema)).toThrow(message);
  });

  function circularSchema(): JsonSchema {
    const schema: Record<string, unknown> = { type: "object" };
    schema.properties = { self: schema };
    return schema;
  }
});

describe("a zod schema", () => {
  const schema = z.object({
    path: z.string().min(1),
    limit: z.number().int().default(10),
    lines: z.array(z.object({ at: z.number() })).optional(),
  });

  it("W1: accepts with its own defaults and conversions", async () => {
    expect(await compileInputCheck(schema)({ path: "a" })).toEqual(accepted({ path: "a", limit: 10 }));
    expect(await compileInputCheck(z.object({ n: z.coerce.number() }))({ n: "5" })).toEqual(accepted({ n: 5 }));
  });

  it("W1: rejects with the path of each fault", async () => {
    expect(await reasonsOf(schema, { path: "", lines: [{ at: 1 }, { at: "x" }] })).toEqual([
      expect.stringMatching(/^path: /),
      expect.stringMatching(/^lines\.1\.at: .*expected number/),
    ]);
    expect(await reasonsOf(schema, null)).toEqual([expect.stringMatching(/^Invalid input/)]);
  });

  it("W1: waits for a check that takes its time", async () => {
    const slow = z.object({ path: z.string().refine(async (path) => path !== "taken", "is taken") });
    expect(await compileInputCheck(slow)({ path: "free" })).toEqual(accepted({ path: "free" }));
    expect(await reasonsOf(slow, { path: "taken" })).toEqual(["path: is taken"]);
  });

  it("W1: is stated as what the model has to write, which may lack what has a default", () => {
    expect(stateInputSchema(schema)).toMatchObject({ type: "object", required: ["path"] });
  });

  it("W1: cannot be stated where JSON Schema has no word for it", () => {
    expect(() => stateInputSchema(z.object({ at: z.date() }))).toThrow(/Date/);
  });
});

describe("a Standard Schema made by hand", () => {
  const made = (validate: StandardInputSchema["~standard"]["validate"]): StandardInputSchema => ({
    "~standard": {
      version: 1,
      vendor: "hand",
      validate,
      jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
    },
  });

  it("W1: is asked by its own code, at once or later", async () => {
    expect(await compileInputCheck(made((value) => ({ value })))(5)).toEqual(accepted(5));
    expect(await compileInputCheck(made(async (value) => ({ value: [value] })))(5)).toEqual(accepted([5]));
    expect(await compileInputCheck(made(async () => ({ issues: [{ message: "no" }] })))(5)).toEqual({
      type: "rejected",
      reasons: ["no"],
    });
  });

  // Mutant seen to fail: functions are no schemas.
  it("W1: may be a function, as those of some libraries are", async () => {
    const inputSchema = Object.assign(
      () => {},
      made(async (value) => ({ value })),
    );
    const tool = { name: "Read", description: "Reads.", inputSchema, execute: () => "done" };
    const calls = [{ toolCallId: "c", toolName: "Read", input: {} }];
    expect(await executeTools(calls, { tools: [tool] })).toMatchObject([{ summary: "done" }]);
  });

  it("W1: may reject without a reason", async () => {
    expect(await compileInputCheck(made(() => ({ issues: [] })))(5)).toEqual({ type: "rejected", reasons: [] });
  });

  it("W1: names places by keys, by segments and by symbols", async () => {
    const path = ["a", 0, { key: "b" }, Symbol("s")];
    expect(
      await reasonsOf(
        made(() => ({ issues: [{ message: "no", path }] })),
        {},
      ),
    ).toEqual(["a.0.b.Symbol(s): no"]);
  });

  // Whatever it does, it is the check of this call that fails, and the call gets a result that says so.
  it.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["returns nothing", () => undefined],
    ["returns null", () => null],
    ["returns issues that are no list", () => ({ issues: "no" })],
    ["returns an issue that is none", () => ({ issues: [null] })],
    ["returns a path that is none", () => ({ issues: [{ message: "no", path: 5 }] })],
    [
      "returns what cannot be read",
      () =>
        new Proxy(
          {},
          {
            get() {
              throw new Error("broken");
            },
          },
        ),
    ],
  ])("W1: that %s accepts nothing", async (_, validate: () => unknown) => {
    const check = compileInputCheck(made(validate as StandardInputSchema["~standard"]["validate"]));
    await expect(async () => check({})).rejects.toThrow();
  });

  it("W1: that cannot state itself is none, and is told what it lacks", () => {
    const { jsonSchema: _, ...standard } = made((value) => ({ value }))["~standard"];
    expect(() => stateInputSchema({ "~standard": standard } as ToolInputSchema)).toThrow("~standard.jsonSchema");
  });
});

// Mutant seen to fail: `new Function` in the check.
it("W1: inputs are checked where code cannot be made from strings", async () => {
  const script = fileURLToPath(new URL("./support/check-without-eval.ts", import.meta.url));
  const flags = ["--disallow-code-generation-from-strings", "--import", "tsx", "--conditions=@pod/source"];
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script], { cwd });
  expect(JSON.parse(stdout)).toEqual({
    evaluates: false,
    results: [
      ["right", "done"],
      ["wrong", expect.stringContaining("#/n")],
      ["right-zod", "done"],
      ["wrong-zod", expect.stringContaining("n: ")],
    ],
  });
});
