import { describe, expect, it } from "vitest";
import { checkArrows, readPackages, type WorkspacePackage } from "./package-graph.js";
import { parseSource, readPackageDirectories, readSources, type SourceFile } from "./source-file.js";
import { sourceRules } from "./source-rules.js";

const sources: readonly SourceFile[] = [
  ...readPackageDirectories().flatMap((directory) => ["src", "test", "bench"].map((part) => `${directory}/${part}`)),
  "test",
  "bench",
].flatMap(readSources);

describe.each(sourceRules)("$name", ({ applies, find, broken, kept }) => {
  const search = (checked: readonly SourceFile[]) =>
    checked
      .filter((source) => applies(source.path))
      .flatMap((source) => find(source).map((fault) => `${source.path}: ${fault}`));

  it("holds", () => {
    expect(search(sources)).toEqual([]);
  });

  it.each(broken)("catches, in %s: %s", (path, text) => {
    expect(search([parseSource(path, text)])).not.toEqual([]);
  });

  it.each(kept)("leaves alone, in %s: %s", (path, text) => {
    expect(search([parseSource(path, text)])).toEqual([]);
  });
});

describe("the arrows between packages", () => {
  const packages = readPackages();

  it("hold, in package.json and in every import", () => {
    expect(packages.length).toBeGreaterThanOrEqual(5);
    expect(checkArrows(packages)).toEqual([]);
  });

  it.each([
    ["manifest", "llm-worker"],
    ["llm-worker", "manifest"],
    ["test-harness", "tool-output-cap"],
    ["tool-output-cap", "manifest"],
  ])("catch %s depending on %s, declared or only imported", (from, to) => {
    const declared = change(packages, `@pod/${from}`, { dependencies: [`@pod/${to}`], sources: [] });
    expect(checkArrows(declared)).toContain(`@pod/${from} depends on @pod/${to}`);
    const path = `packages/${from}/src/made-up.ts`;
    const imported = change(packages, `@pod/${from}`, {
      dependencies: [],
      sources: [parseSource(path, `import type { Anything } from "@pod/${to}";`)],
    });
    expect(checkArrows(imported)).toContain(`${path} imports @pod/${to}`);
  });

  it.each([
    ["a built-in module in the core", `import { Buffer } from "node:buffer";`, "node:buffer"],
    ["the same by its old name", `import { Buffer } from "buffer";`, "buffer"],
    ["a type of an undeclared package", `export type Schema = import("zod").ZodType;`, "zod"],
    ["a dynamic import", `await import("smol-toml");`, "smol-toml"],
    ["a re-export", `export { z } from "zod";`, "zod"],
    [
      "a path into a neighbour",
      `import { readLimits } from "../../manifest/src/schema.js";`,
      "../../manifest/src/schema.js",
    ],
    ["a path that is computed", `await import(name);`, "name"],
  ])("catch %s", (_what, text, specifier) => {
    const path = "packages/tool-output-cap/src/made-up.ts";
    const changed = change(packages, "@pod/tool-output-cap", { sources: [parseSource(path, text)] });
    expect(checkArrows(changed)).toContain(`${path} imports ${specifier}`);
  });

  it("catch a cycle through devDependencies", () => {
    const changed = change(packages, "@pod/test-harness", { devDependencies: ["@pod/llm-worker"] });
    expect(checkArrows(changed).filter((fault) => fault.startsWith("cycle: "))).not.toEqual([]);
  });
});

function change(packages: readonly WorkspacePackage[], name: string, changed: Partial<WorkspacePackage>) {
  return packages.map((each) => (each.name === name ? { ...each, ...changed } : each));
}
