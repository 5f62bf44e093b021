import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { findImports } from "./find-imports.js";
import { readPackageDirectories, readSources, repositoryRoot, type SourceFile } from "./source-file.js";

/** One package of the workspace, as its package.json and its sources state it. */
export interface WorkspacePackage {
  readonly name: string;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  readonly sources: readonly SourceFile[];
}

/** The arrows of the workspace: what each package may depend on, by name; nothing else of ours. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  "@pod/tool-output-cap": [],
  "@pod/manifest": ["@pod/tool-output-cap", "commander", "leven", "smol-toml", "zod"],
  "@pod/token-counter": ["gpt-tokenizer"],
  "@pod/llm-worker": [
    "@pod/token-counter",
    "@pod/tool-output-cap",
    "@cfworker/json-schema",
    "@standard-schema/spec",
    "p-limit",
  ],
  "@pod/mcp-cap": ["@pod/manifest", "@pod/tool-output-cap", "commander", "cross-spawn"],
  "@pod/test-harness": ["fast-check", "vitest"],
  "@pod/api-reference": [],
  "@pod/demo": [
    "@pod/manifest",
    "@pod/llm-worker",
    "@pod/mcp-cap",
    "@pod/test-harness",
    "@pod/token-counter",
    "@pod/tool-output-cap",
    "@ai-sdk/anthropic",
    "@modelcontextprotocol/sdk",
    "tinyglobby",
    "tsx",
    "zod",
  ],
};

/** What runs in browsers and at the edge too imports nothing of Node. */
const runsEverywhere: ReadonlySet<string> = new Set(["@pod/tool-output-cap", "@pod/token-counter"]);

export function readPackages(): readonly WorkspacePackage[] {
  return readPackageDirectories().map((directory) => {
    const file = JSON.parse(readFileSync(join(repositoryRoot, directory, "package.json"), "utf8"));
    return {
      name: file.name,
      dependencies: Object.keys({ ...file.dependencies, ...file.peerDependencies, ...file.optionalDependencies }),
      devDependencies: Object.keys(file.devDependencies ?? {}),
      sources: readSources(`${directory}/src`),
    };
  });
}

/** What goes against the arrows, one line a fault. */
export function checkArrows(packages: readonly WorkspacePackage[]): readonly string[] {
  return [...packages.flatMap(checkPackage), ...findCycles(packages)];
}

function checkPackage({ name, dependencies, devDependencies, sources }: WorkspacePackage): readonly string[] {
  const allowed = arrows[name];
  if (allowed === undefined) return [`${name} has no arrows. Write them down in test/package-graph.ts`];
  const declared = dependencies
    .filter((dependency) => !allowed.includes(dependency))
    .map((dependency) => `${name} depends on ${dependency}`);
  const testOnly = devDependencies
    .filter((dependency) => dependency.startsWith("@pod/") && dependency !== "@pod/test-harness")
    .map((dependency) => `${name} depends on ${dependency} in its tests`);
  const imported = sources.flatMap((source) =>
    findImports(source)
      .filter(({ specifier }) => !mayImport(name, dependencies, source.path, specifier))
      .map(({ specifier }) => `${source.path} imports ${specifier}`),
  );
  return [...declared, ...testOnly, ...imported];
}

function mayImport(name: string, dependencies: readonly string[], path: string, specifier: string): boolean {
  if (specifier.startsWith("#")) return true;
  if (specifier.startsWith(".")) {
    const target = join(path, "..", specifier);
    return target.startsWith(path.split("/").slice(0, 3).join("/"));
  }
  if (specifier.startsWith("node:") || builtinModules.includes(specifier)) return !runsEverywhere.has(name);
  const packageName = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  return dependencies.includes(packageName);
}

// devDependencies count: turbo orders its tasks by them, and refuses a cycle.
function findCycles(packages: readonly WorkspacePackage[]): readonly string[] {
  const edges = new Map(packages.map((each) => [each.name, [...each.dependencies, ...each.devDependencies]]));
  const finished = new Set<string>();
  const walk = (name: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(name)) return [`cycle: ${[...trail.slice(trail.indexOf(name)), name].join(" -> ")}`];
    if (finished.has(name)) return [];
    const found = (edges.get(name) ?? []).flatMap((next) => walk(next, [...trail, name]));
    finished.add(name);
    return found;
  };
  return packages.flatMap(({ name }) => walk(name, []));
}
