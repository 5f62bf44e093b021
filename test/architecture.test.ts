import { describe, expect, it } from "vitest";
import { arrows, checkArrows, readPackages, type WorkspacePackage } from "./package-graph.js";
import { capRules } from "./rules/cap-rules.js";
import { chokepointRules } from "./rules/chokepoint-rules.js";
import { fileRules } from "./rules/file-rules.js";
import { languageRules } from "./rules/language-rules.js";
import { parseSource, readPackageDirectories, readSources, type SourceFile } from "./source-file.js";

const rules = [...chokepointRules, ...capRules, ...languageRules, ...fileRules];

describe.each(rules.map((rule) => [rule.name, rule] as const))("%s", (_name, { applies, find, broken, kept }) => {
  const search = (checked: readonly SourceFile[]) =>
    checked
      .filter((source) => applies(source.path))
      .flatMap((source) => find(source).map((fault) => `${source.path}: ${fault}`));

  it("holds", () => {
    expect(search(readAll())).toEqual([]);
  });

  it.each(broken.map(describeSample))("catches %s", (_what, path, text) => {
    expect(search([parseSource(path, text)])).not.toEqual([]);
  });

  it.each(kept.map(describeSample))("leaves alone %s", (_what, path, text) => {
    expect(search([parseSource(path, text)])).toEqual([]);
  });
});

describe("the arrows between packages", () => {
  // The controls change what one package says of itself, in a workspace that is otherwise right.
  const packages = Object.entries(arrows).map(([name, dependencies]) => ({
    name,
    dependencies,
    devDependencies: ["@pod/tool-output-cap", "@pod/llm-worker"].includes(name) ? ["@pod/test-harness"] : [],
    sources: [],
  }));

  it("hold, in package.json and in every import", () => {
    const packages = readPackages();
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

  it("leave the workspace of the controls alone", () => {
    expect(checkArrows(packages)).toEqual([]);
  });

  it("catch a cycle through devDependencies", () => {
    const changed = change(packages, "@pod/test-harness", { devDependencies: ["@pod/llm-worker"] });
    expect(checkArrows(changed).filter((fault) => fault.startsWith("cycle: "))).not.toEqual([]);
  });
});

function describeSample([path, text]: readonly [path: string, text: string]) {
  const excerpt = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return [`${excerpt.replaceAll("\n", " ")} in ${path}`, path, text] as const;
}

let all: readonly SourceFile[] | undefined;

function readAll(): readonly SourceFile[] {
  const parts = readPackageDirectories().flatMap((directory) =>
    ["src", "test", "bench"].map((part) => `${directory}/${part}`),
  );
  all ??= [...parts, "test", "bench"].flatMap(readSources);
  return all;
}

function change(packages: readonly WorkspacePackage[], name: string, changed: Partial<WorkspacePackage>) {
  return packages.map((each) => (each.name === name ? { ...each, ...changed } : each));
}
