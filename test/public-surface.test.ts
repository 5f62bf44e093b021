import { beforeAll, describe, expect, it } from "vitest";
import { type Declarations, emitDeclarations, findForeignTypes, findUndocumented } from "./public-surface.js";
import { parseSource } from "./source-file.js";

// A Standard Schema is a type that any library may write down: that is what it is for.
const surfaces = [
  {
    directory: "packages/tool-output-cap",
    entries: ["chokepoint.d.ts", "index.d.ts", "mcp.d.ts", "stream.d.ts"],
    foreign: [],
  },
  { directory: "packages/token-counter", entries: ["index.d.ts", "bpe.d.ts"], foreign: [] },
  { directory: "packages/manifest", entries: ["index.d.ts"], foreign: [] },
  {
    directory: "packages/llm-worker",
    entries: ["index.d.ts", "ai-sdk.d.ts", "session-log.d.ts"],
    foreign: ["tool.d.ts shows @standard-schema/spec"],
  },
];

describe.each(surfaces)("the public surface of $directory", ({ directory, entries, foreign }) => {
  let declarations: Declarations;
  beforeAll(() => {
    declarations = emitDeclarations(directory);
  });

  it("shows no type of another project", () => {
    const shown = entries.flatMap((entry) => findForeignTypes(declarations, entry));
    expect(shown.filter((each) => !foreign.includes(each))).toEqual([]);
  });

  it("has a doc comment on every name", () => {
    expect(entries.flatMap((entry) => findUndocumented(declarations, entry))).toEqual([]);
  });
});

describe("the check", () => {
  it("finds a foreign type behind a neighbouring file, and in an import type", () => {
    const declarations = makeDeclarations({
      "index.d.ts": `export { parse } from "./parse.js"; export declare const schema: import("zod").ZodType;`,
      "parse.d.ts": `import type { TomlError } from "smol-toml"; export declare function parse(): TomlError;`,
      "unreached.d.ts": `import type { Anything } from "leven";`,
    });
    expect(findForeignTypes(declarations, "index.d.ts")).toEqual([
      "index.d.ts shows zod",
      "parse.d.ts shows smol-toml",
    ]);
  });

  it("finds a name without a doc comment, whatever it is", () => {
    const declarations = makeDeclarations({
      "index.d.ts": `export { parse, type Limits, LIMITS, Fault, documented } from "./parse.js"; export declare const own: 1;`,
      "parse.d.ts": [
        "// no doc comment",
        "export declare function parse(): void;",
        "/* nor this */ export interface Limits {}",
        "export declare const LIMITS: Limits;",
        "/** Of an inner name. */ declare const inner: 1;",
        "export declare class Fault {}",
        "/** Says what it does. */",
        "export declare function documented(): void;",
      ].join("\n"),
    });
    expect(findUndocumented(declarations, "index.d.ts")).toEqual([
      "parse (parse.d.ts)",
      "Limits (parse.d.ts)",
      "LIMITS (parse.d.ts)",
      "Fault (parse.d.ts)",
      "own",
    ]);
  });
});

function makeDeclarations(texts: Readonly<Record<string, string>>): Declarations {
  return new Map(Object.entries(texts).map(([path, text]) => [path, parseSource(path, text)]));
}
