import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type ESTree, parseSync } from "vite";

/** A TypeScript file as a tree. `path` is relative to the repository, with slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly program: ESTree.Program;
  readonly comments: readonly { readonly value: string }[];
}

export const repositoryRoot: string = fileURLToPath(new URL("..", import.meta.url));

/** Throws where the text is not TypeScript: a rule that cannot read a file must not pass it. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text);
  const fault = errors[0];
  if (fault !== undefined) throw new SyntaxError(`${path}: ${fault.message}${fault.codeframe ?? ""}`);
  return { path, text, program, comments };
}

/** The workspace's packages: `packages/*` and `apps/*`, by directory. */
export function readPackageDirectories(): readonly string[] {
  return ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(repositoryRoot, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${parent}/${entry.name}`),
  );
}

/** Every TypeScript file below `directory`; none where there is no such directory. */
export function readSources(directory: string): readonly SourceFile[] {
  return listFiles(directory)
    .filter((path) => path.endsWith(".ts"))
    .map((path) => parseSource(path, readFileSync(join(repositoryRoot, path), "utf8")));
}

// The file system and not git: the tests run where there is only node and npm.
function listFiles(directory: string): readonly string[] {
  const absolute = join(repositoryRoot, directory);
  let entries: ReturnType<typeof readEntries>;
  try {
    entries = readEntries(absolute);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(repositoryRoot, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.includes("node_modules/"))
    .sort();
}

function readEntries(directory: string) {
  return readdirSync(directory, { recursive: true, withFileTypes: true });
}
