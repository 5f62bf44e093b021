import { describe, expect, it } from "vitest";
import { DEFAULT_TOOL_OUTPUT_LIMITS, resolveLimit, type ToolOutputLimits } from "../src/index.js";

const limits: ToolOutputLimits = { defaultMaxBytes: 1_000, perTool: { Read: 32_768, Grep: { maxBytes: 4_096 } } };

describe("resolveLimit", () => {
  it("C9: gives a tool its own limit, else the default", () => {
    expect(resolveLimit(limits, "Read")).toEqual({ maxBytes: 32_768 });
    expect(resolveLimit(limits, "Grep")).toEqual({ maxBytes: 4_096 });
    expect(resolveLimit(limits, "Glob")).toEqual({ maxBytes: 1_000 });
    expect(resolveLimit(limits, "read")).toEqual({ maxBytes: 1_000 });
  });

  // Mutant seen to fail: `limits.perTool[toolName] ?? limits.defaultMaxBytes`.
  it.each(["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", ""])(
    "C9: a tool named %j gets the default unless the table names it",
    (name) => {
      expect(resolveLimit(limits, name)).toEqual({ maxBytes: 1_000 });
      const perTool: Record<string, number> = JSON.parse(`{ ${JSON.stringify(name)}: 5 }`);
      expect(resolveLimit({ defaultMaxBytes: 1_000, perTool }, name)).toEqual({ maxBytes: 5 });
    },
  );

  it("C9: an entry that is inherited is none", () => {
    const perTool: Record<string, number> = Object.create({ Read: 5 });
    expect(resolveLimit({ defaultMaxBytes: 1_000, perTool }, "Read")).toEqual({ maxBytes: 1_000 });
  });

  it("C9: a table without a prototype is a table", () => {
    const perTool: Record<string, number> = Object.assign(Object.create(null), { Read: 5 });
    expect(resolveLimit({ defaultMaxBytes: 1_000, perTool }, "Read")).toEqual({ maxBytes: 5 });
  });

  it("C9: the result is frozen, and never an object of the table", () => {
    const entry = { maxBytes: 5, note: "x" };
    const limit = resolveLimit({ defaultMaxBytes: 1, perTool: { Read: entry } }, "Read");
    expect(limit).not.toBe(entry);
    expect(Object.isFrozen(limit)).toBe(true);
    expect(Object.isFrozen(resolveLimit(limits, "Glob"))).toBe(true);
  });

  it("C7: an entry that is no limit is a RangeError that names the place", () => {
    const wrong: readonly unknown[] = [
      0,
      -1,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1e300,
      "5",
      5n,
      null,
      undefined,
      true,
    ];
    for (const value of wrong) {
      const entry = value as number;
      expect(() => resolveLimit({ defaultMaxBytes: 1, perTool: { Read: entry } }, "Read")).toThrow(RangeError);
      expect(() => resolveLimit({ defaultMaxBytes: 1, perTool: { Read: entry } }, "Read")).toThrow(
        /^limits\.perTool\["Read"\]: expected an integer from 1 to 2147483647/,
      );
      expect(() => resolveLimit({ defaultMaxBytes: entry, perTool: {} }, "Read")).toThrow(/^limits\.defaultMaxBytes: /);
    }
    expect(() => resolveLimit({ defaultMaxBytes: 1, perTool: { Read: { maxBytes: 0 } } }, "Read")).toThrow(
      /^limits\.perTool\["Read"\]\.maxBytes: .* received 0\. Write: /,
    );
  });

  // Mutant seen to fail: the default keep over the entry's own.
  it("C9: gives the keep of the tool's own entry, else that of all tools, else none", () => {
    const perTool = { Bash: { maxBytes: 5, keep: "ends" }, Grep: { maxBytes: 6 }, Read: 7 } as const;
    const keeping: ToolOutputLimits = { defaultMaxBytes: 1, perTool, keep: "tail" };
    expect(resolveLimit(keeping, "Bash")).toStrictEqual({ maxBytes: 5, keep: "ends" });
    expect(resolveLimit(keeping, "Grep")).toStrictEqual({ maxBytes: 6, keep: "tail" });
    expect(resolveLimit(keeping, "Read")).toStrictEqual({ maxBytes: 7, keep: "tail" });
    expect(resolveLimit(keeping, "Glob")).toStrictEqual({ maxBytes: 1, keep: "tail" });
    expect(resolveLimit({ defaultMaxBytes: 1, perTool }, "Bash")).toStrictEqual({ maxBytes: 5, keep: "ends" });
    expect(resolveLimit({ defaultMaxBytes: 1, perTool }, "Glob")).toStrictEqual({ maxBytes: 1 });
    expect(Object.isFrozen(resolveLimit(keeping, "Bash"))).toBe(true);
  });

  // Mutants seen to fail: no tokens; the default's beside an entry; the default's place left out.
  it("C9 C14: gives the tokens of the tool's own entry, of the default where it has no entry, else none", () => {
    const perTool = { Bash: { maxBytes: 5, maxTokens: 2 }, Grep: { maxBytes: 6 }, Read: 7 };
    const counting: ToolOutputLimits = { defaultMaxBytes: 4, defaultMaxTokens: 3, perTool };
    expect(resolveLimit(counting, "Bash")).toStrictEqual({ maxBytes: 5, maxTokens: 2 });
    expect(resolveLimit(counting, "Grep")).toStrictEqual({ maxBytes: 6 });
    expect(resolveLimit(counting, "Read")).toStrictEqual({ maxBytes: 7 });
    expect(resolveLimit(counting, "Glob")).toStrictEqual({ maxBytes: 4, maxTokens: 3 });
    expect(resolveLimit({ defaultMaxBytes: 4, perTool }, "Glob")).toStrictEqual({ maxBytes: 4 });
    expect(() => resolveLimit({ ...counting, defaultMaxTokens: 0 }, "Glob")).toThrow(/^limits\.defaultMaxTokens: /);
  });

  it.each([null, "Tail", "middle", 1])("C7: a keep of %j is a RangeError that names the place", (value) => {
    const wrong: unknown = value;
    const keep = wrong as "tail";
    const limits = { defaultMaxBytes: 1, perTool: {}, keep };
    expect(() => resolveLimit(limits, "Read")).toThrow(RangeError);
    expect(() => resolveLimit(limits, "Read")).toThrow(/^limits\.keep: expected "head", "tail" or "ends", received /);
    expect(() => resolveLimit({ defaultMaxBytes: 1, perTool: { Read: { maxBytes: 1, keep } } }, "Read")).toThrow(
      /^limits\.perTool\["Read"\]\.keep: expected /,
    );
  });

  it("C7: a limit of another tool is none of its business", () => {
    expect(resolveLimit({ defaultMaxBytes: 7, perTool: { Read: -1 } }, "Grep")).toEqual({ maxBytes: 7 });
  });

  it.each([undefined, null, 16_384, "x"])("C7: limits of %s are a TypeError", (value) => {
    const wrong: unknown = value;
    expect(() => resolveLimit(wrong as ToolOutputLimits, "Read")).toThrow(TypeError);
    expect(() => resolveLimit(wrong as ToolOutputLimits, "Read")).toThrow(
      /^limits: expected an object, received .*\. Write: DEFAULT_TOOL_OUTPUT_LIMITS$/,
    );
  });

  it.each([undefined, null, 5, new Map([["Read", 5]]), [5]])("C7: a table of %s is a TypeError", (value) => {
    const perTool: unknown = value;
    const wrong = { defaultMaxBytes: 1, perTool: perTool as Record<string, number> };
    expect(() => resolveLimit(wrong, "Read")).toThrow(TypeError);
    expect(() => resolveLimit(wrong, "Read")).toThrow(
      /^limits\.perTool: expected an object of limits by tool name, received .*\. Write: perTool: \{\}$/,
    );
  });

  it("C7: a tool name that is not a string is a TypeError", () => {
    const name: unknown = Symbol("Read");
    expect(() => resolveLimit(limits, name as string)).toThrow(
      /^toolName: expected a string, received Symbol\(Read\)\. Write: "Read"$/,
    );
  });
});

describe("the default", () => {
  it("C9: is 16,384 bytes for every tool, and cannot be changed", () => {
    expect(resolveLimit(DEFAULT_TOOL_OUTPUT_LIMITS, "Glob")).toEqual({ maxBytes: 16_384 });
    expect(DEFAULT_TOOL_OUTPUT_LIMITS).toEqual({ defaultMaxBytes: 16_384, perTool: {} });
    expect(Object.isFrozen(DEFAULT_TOOL_OUTPUT_LIMITS)).toBe(true);
    expect(Object.isFrozen(DEFAULT_TOOL_OUTPUT_LIMITS.perTool)).toBe(true);
  });
});
