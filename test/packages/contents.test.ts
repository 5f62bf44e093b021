import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { findTargets, readManifest, readPublicManifests } from "../package-manifests.js";
import { readSources, repositoryRoot } from "../source-file.js";
import { runCommand } from "./run-command.js";

const { bare } = inject("installed");
const packages = readPublicManifests().map(({ directory, manifest: { name } }) => {
  const root = join(bare, "node_modules", name);
  return { name, directory, root, files: listFiles(root), manifest: readManifest(root) };
});

describe.each(packages)("the tarball of $name", ({ directory, root, files, manifest }) => {
  const read = (file: string) => readFileSync(join(root, file), "utf8");

  // Mutants seen to fail: `files` with "test"; a source without what it builds; a file of an earlier build in dist.
  it("P1: holds what the sources build, a licence, a README, and what package.json names", () => {
    const built = readSources(`${directory}/src`).flatMap(({ path }) => {
      const module = relative(join(directory, "src"), path).replace(/\.ts$/, "");
      return [`dist/${module}.js`, `dist/${module}.d.ts`];
    });
    const named = targetsOf(manifest).map((target) => target.replace("./", ""));
    const expected = ["LICENSE", "README.md", "package.json", ...built, ...named];
    if (existsSync(join(repositoryRoot, directory, "CHANGELOG.md"))) expected.push("CHANGELOG.md");
    expect(files).toEqual([...new Set(expected)].sort());
  });

  it("P1: has no test and no source map, and points at none", () => {
    expect(files.filter((file) => /\.map$|(^|[/.])(test|spec|bench)([/.-]|$)/.test(file))).toEqual([]);
    expect(files.filter((file) => read(file).includes("sourceMappingURL"))).toEqual([]);
  });

  it("P2 P3: says nothing of the workspace: neither its protocol, nor its catalog, nor its sources", () => {
    // Scripts are for those who build the package.
    const { scripts: _, ...told } = JSON.parse(read("package.json"));
    expect(JSON.stringify(told)).not.toMatch(/"(workspace|catalog):|@pod\/source|\/src\//);
    expect(targetsOf(manifest).filter((target) => !existsSync(join(root, target)))).toEqual([]);
    expect(manifest.type).toBe("module");
  });

  it("P3: depends on its neighbours in the version that they are released in", () => {
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      if (name.startsWith("@pod/")) expect(range).toBe(`^${readManifest(join(bare, "node_modules", name)).version}`);
    }
  });
});

const jsonEntries = packages.flatMap(({ name, manifest }) =>
  Object.keys(manifest.exports ?? {})
    .filter((subpath) => subpath.endsWith(".json"))
    .map((subpath) => name + subpath.slice(1)),
);

it.each(jsonEntries)("P1: %s is there for whoever imports it", (specifier) => {
  const print = `import data from "${specifier}" with { type: "json" }; console.log(typeof data);`;
  const options = ["--no-warnings", "--input-type=module", "--eval", print];
  expect(runCommand(process.execPath, options, { cwd: bare })).toBe("object\n");
});

it("P1: the tarball of @pod/token-counter depends on nothing but a tokenizer if one is there, and leans on nothing of Node", () => {
  const counter = packages.find(({ name }) => name === "@pod/token-counter");
  const code = counter?.files.filter((file) => file.endsWith(".js")) ?? [];
  expect(code).toContain("dist/index.js");
  expect(counter?.manifest.dependencies).toBeUndefined();
  expect(counter?.manifest.peerDependenciesMeta).toEqual({ "gpt-tokenizer": { optional: true } });
  const texts = code.map((file) => readFileSync(join(counter?.root ?? "", file), "utf8"));
  expect(texts.filter((text) => /node:|require\(|\bBuffer\b|\bprocess\b/.test(text))).toEqual([]);
});

describe("the tarball of @pod/tool-output-cap", () => {
  const cap = packages.find(({ name }) => name === "@pod/tool-output-cap");
  const code = cap?.files.filter((file) => file.endsWith(".js")) ?? [];
  const find = (pattern: RegExp) =>
    code.filter((file) => pattern.test(readFileSync(join(cap?.root ?? "", file), "utf8")));

  it("P1: depends on nothing, and imports nothing of Node", () => {
    expect(code).toContain("dist/index.js");
    expect(cap?.manifest.dependencies).toBeUndefined();
    expect(find(/node:|require\(/)).toEqual([]);
  });

  it("P1: leans on Node in the two files that only Node gets", () => {
    expect(find(/\bBuffer\b|\bprocess\b/)).toEqual(["dist/stream/is-utf8.node.js", "dist/utf8.node.js"]);
    expect(cap?.manifest.imports).toEqual({
      "#is-utf8": { node: "./dist/stream/is-utf8.node.js", default: "./dist/stream/is-utf8.js" },
      "#utf8": { node: "./dist/utf8.node.js", default: "./dist/utf8.js" },
    });
  });
});

function targetsOf({ exports, imports, bin }: ReturnType<typeof readManifest>): readonly string[] {
  return [...findTargets(exports), ...findTargets(imports), ...findTargets(bin)];
}

function listFiles(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}
