import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import type { ESTree } from "vite";
import { findImports } from "./find-imports.js";
import { parseSource, repositoryRoot, type SourceFile } from "./source-file.js";

/** The declarations that a package publishes, by file name: `index.d.ts` and what stands beside it. */
export type Declarations = ReadonlyMap<string, SourceFile>;

/** Lets the compiler write the declarations of a package, as its build does. */
export function emitDeclarations(packageDirectory: string): Declarations {
  const directory = mkdtempSync(join(tmpdir(), "pod-declarations-"));
  try {
    const compiler = join(repositoryRoot, "node_modules/typescript/bin/tsc");
    const project = join(repositoryRoot, packageDirectory, "tsconfig.build.json");
    // --noCheck: types are checked elsewhere, and the packages that this one needs may not be built.
    const options = ["-p", project, "--emitDeclarationOnly", "--noCheck", "--outDir", directory];
    const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, ...options], { encoding: "utf8" });
    if (status !== 0) throw new Error(`the declarations of ${packageDirectory} cannot be written: ${stdout}${stderr}`);
    return readDeclarations(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The foreign packages whose types a user of `entry` gets to see, each with the file that shows it. */
export function findForeignTypes(declarations: Declarations, entry: string): readonly string[] {
  const foreign: string[] = [];
  const reached = new Set([entry]);
  for (const path of reached) {
    for (const { specifier } of findImports(get(declarations, path))) {
      if (specifier.startsWith(".")) reached.add(resolve(path, specifier));
      else if (!specifier.startsWith("@pod/")) foreign.push(`${path} shows ${specifier}`);
    }
  }
  return foreign;
}

/** The names that `entry` exports without a doc comment where they are declared. */
export function findUndocumented(declarations: Declarations, entry: string): readonly string[] {
  const undocumented: string[] = [];
  for (const node of get(declarations, entry).program.body) {
    if (node.type !== "ExportNamedDeclaration") continue;
    if (node.source === null && !isDocumented(get(declarations, entry), node))
      undocumented.push(declaredNames(node).join());
    if (node.source === null || !node.source.value.startsWith(".")) continue;
    const path = resolve(entry, node.source.value);
    for (const { local } of node.specifiers) {
      const name = local.type === "Literal" ? local.value : local.name;
      if (!isDocumentedIn(get(declarations, path), name)) undocumented.push(`${name} (${path})`);
    }
  }
  return undocumented;
}

function readDeclarations(directory: string): Declarations {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".d.ts"));
  return new Map(files.map((file) => [file, parseSource(file, readFileSync(join(directory, file), "utf8"))]));
}

function get(declarations: Declarations, path: string): SourceFile {
  const source = declarations.get(path);
  if (source === undefined)
    throw new Error(`no declarations of ${path}, only of ${[...declarations.keys()].join(", ")}`);
  return source;
}

function resolve(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, ".d.ts");
}

function isDocumentedIn(source: SourceFile, name: string): boolean {
  return source.program.body.some((node) => {
    if (node.type !== "ExportNamedDeclaration" || !declaredNames(node).includes(name)) return false;
    return isDocumented(source, node);
  });
}

function isDocumented(source: SourceFile, node: ESTree.Span): boolean {
  return /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.test(source.text.slice(0, node.start));
}

function declaredNames({ declaration }: ESTree.ExportNamedDeclaration): readonly string[] {
  if (declaration === null) return [];
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
  }
  return "id" in declaration && declaration.id?.type === "Identifier" ? [declaration.id.name] : [];
}
