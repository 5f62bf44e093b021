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
    expect(findUnknownTools(limitsFor(name), tools)).toStrictEqual([{ name }]);
  });

  it("M5: a name that differs in case only is nearer than one that differs in a letter", () => {
    expect(findUnknownTools(limitsFor("READ"), ["READS", "Read"])).toEqual([{ name: "READ", nearest: "Read" }]);
  });

  it("M5: of two names that are as near, the first one registered wins", () => {
    expect(findUnknownTools(limitsFor("Reab"), ["Read", "Real"])).toEqual([{ name: "Reab", nearest: "Read" }]);
  });

  // Mutant seen to fail: what is shared at the beginning shared at the end once more.
  it("M5: no letter is shared twice", () => {
    expect(findUnknownTools(limitsFor("aba"), ["abax", "abba"])).toEqual([{ name: "aba", nearest: "abax" }]);
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

  // Mutants seen to fail: a fourth for the third; the shared end not counted; it counted over the shared beginning.
  it.each([
    ["aaaaaa", "aabbaa", "aabbaa"],
    ["aaaaaa", "aabbba", undefined],
    ["aaaa", "aaaaaa", "aaaaaa"],
    ["aaaa", "aaaaaaa", undefined],
    ["aaaaaaa", "aaaa", "aaaa"],
    ["abab", "ab", "ab"],
  ])("M5: a third of %s may differ, between what it shares with %s", (name, tool, nearest) => {
    expect(findUnknownTools(limitsFor(name), [tool])[0]?.nearest).toBe(nearest);
  });

  it("M5: finds what was meant by long names, and by each of many", () => {
    const long = "x".repeat(1_000_000);
    expect(findUnknownTools(limitsFor(long), [`y${long}`, long.toUpperCase()])[0]?.nearest).toBe(long.toUpperCase());
    const many = Array.from({ length: 1_000 }, (_, index) => `tool_number_${index + 1_000}`);
    const unknown = findUnknownTools(limitsFor(...many.map((name) => `${name}_`)), many);
    expect(unknown).toEqual(many.map((name) => ({ name: `${name}_`, nearest: name })));
  });

  it.each([undefined, null, "Read", 5, {}])("M5: tool names of %j are a TypeError", (value) => {
    const wrong: unknown = value;
    expect(() => findUnknownTools(limitsFor("a"), wrong as string[])).toThrow(TypeError);
    expect(() => findUnknownTools(limitsFor("a"), wrong as string[])).toThrow(
      /^toolNames: expected an iterable of strings, received /,
    );
  });

  it.each([[[{ name: "Read" }]], [["Read", { name: "Grep" }]]])(
    "M5: a tool name that is not a string is a TypeError",
    (value) => {
      const wrong: unknown = value;
      expect(() => findUnknownTools(limitsFor("a"), wrong as string[])).toThrow(
        /^toolNames: expected an iterable of strings, received an object\. Write: tools\.map/,
      );
    },
  );

  it("M5: limits that are none are a TypeError", () => {
    const wrong: unknown = undefined;
    expect(() => findUnknownTools(wrong as ToolOutputLimits, tools)).toThrow(/^limits: expected an object/);
  });
});
