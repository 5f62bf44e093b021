import { describe, expect, it } from "vitest";
import { findUnknownTools, type ToolOutputLimits } from "../src/index.js";

const tools = ["Read", "Grep", "Glob", "mcp__github__get_page", "WebFetch"];

function limitsFor(...names: string[]): ToolOutputLimits {
  return { defaultMaxBytes: 1_000, perTool: Object.fromEntries(names.map((name) => [name, 5])) };
}

describe("findUnknownTools", () => {
  it("M5: says nothing of names that tools have", () => {
    expect(findUnknownTools(limitsFor("Read", "WebFetch"), tools)).toEqual([]);
  });

  it.each([
    ["read", "Read"],
    ["GREP", "Grep"],
    ["Raed", "Read"],
    ["Gre", "Grep"],
    ["Globb", "Glob"],
    ["webfetch", "WebFetch"],
    ["Web_Fetch", "WebFetch"],
    ["mcp__github__get.page", "mcp__github__get_page"],
  ])("M5: %s is nearest to %s", (name, nearest) => {
    expect(findUnknownTools(limitsFor(name), tools)).toEqual([{ name, nearest }]);
  });

  it.each(["Bash", "x", "", "ReadEverything", "mcp__gitlab__list_issues"])("M5: %j is near to none", (name) => {
    expect(findUnknownTools(limitsFor(name), tools)).toEqual([{ name }]);
  });

  it("M5: a name that differs in case only is nearer than one that differs in a letter", () => {
    expect(findUnknownTools(limitsFor("READ"), ["READS", "Read"])).toEqual([{ name: "READ", nearest: "Read" }]);
  });

  it("M5: of two names that are as near, the first one registered wins", () => {
    expect(findUnknownTools(limitsFor("Reab"), ["Read", "Real"])).toEqual([{ name: "Reab", nearest: "Read" }]);
  });

  it("M5: keeps the order of the table, each name once", () => {
    const unknown = findUnknownTools(limitsFor("b", "Read", "constructor", "a"), new Set(tools));
    expect(unknown.map(({ name }) => name)).toEqual(["b", "constructor", "a"]);
  });

  it("M4: a table with the name __proto__ names a tool", () => {
    const perTool: Record<string, number> = JSON.parse('{ "__proto__": 5 }');
    expect(findUnknownTools({ defaultMaxBytes: 1, perTool }, tools)).toEqual([{ name: "__proto__" }]);
    expect(findUnknownTools({ defaultMaxBytes: 1, perTool }, ["__proto__"])).toEqual([]);
  });

  it("M5: takes any iterable, a generator too, and reads it once", () => {
    function* names() {
      yield* tools;
    }
    expect(findUnknownTools(limitsFor("read", "grep"), names())).toHaveLength(2);
  });

  it("M5: compares a long name by its case only", () => {
    const long = "x".repeat(1_000_000);
    expect(findUnknownTools(limitsFor(long), [`${long.slice(1)}y`, long.toUpperCase()])).toEqual([
      { name: long, nearest: long.toUpperCase() },
    ]);
    expect(findUnknownTools(limitsFor("x".repeat(129)), ["x".repeat(130)])).toEqual([{ name: "x".repeat(129) }]);
    expect(findUnknownTools(limitsFor("x".repeat(128)), ["x".repeat(129)])[0]?.nearest).toBe("x".repeat(129));
  });

  it("M5: reports every one of many names, and stops looking for what was meant", () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `tool_number_${index}`);
    const unknown = findUnknownTools(limitsFor(...many.map((name) => `${name}x`)), many);
    expect(unknown).toHaveLength(2_000);
    expect(unknown[0]).toEqual({ name: "tool_number_0x", nearest: "tool_number_0" });
    expect(unknown.at(-1)).toEqual({ name: "tool_number_1999x" });
  });

  it.each([undefined, null, "Read", 5, {}])("M5: tool names of %j are a TypeError", (value) => {
    const wrong: unknown = value;
    expect(() => findUnknownTools(limitsFor("a"), wrong as string[])).toThrow(TypeError);
    expect(() => findUnknownTools(limitsFor("a"), wrong as string[])).toThrow(
      /^toolNames: expected an iterable of strings, received /,
    );
  });

  it("M5: a tool name that is not a string is a TypeError", () => {
    const wrong: unknown = [{ name: "Read" }];
    expect(() => findUnknownTools(limitsFor("a"), wrong as string[])).toThrow(
      /^toolNames: expected strings only, received an object\./,
    );
  });

  it("M5: limits that are none are a TypeError", () => {
    const wrong: unknown = undefined;
    expect(() => findUnknownTools(wrong as ToolOutputLimits, tools)).toThrow(/^limits: expected an object/);
  });
});
