import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { glob } from "tinyglobby";
import { resolveInside } from "./resolve-inside.js";

/** `..` as a whole name, also as one of the alternatives of a pattern; `{1..3}` is a range. */
const PARENT = /(^|[\\/{,(|])\.\.([\\/},)|]|$)/;

/** A regular file below the root. */
export interface FoundFile {
  /** Relative to the root, with `/` between the names. */
  readonly path: string;
  readonly realPath: string;
}

/**
 * Finds the files below `root` that match, in the order of their paths: dot files and `node_modules` included, without what
 * git keeps for itself. As in a .gitignore, a pattern without a slash matches at every depth, so `*` is every file.
 */
export async function* listFiles(root: string, pattern: string, signal: AbortSignal): AsyncGenerator<FoundFile> {
  requireInside(pattern);
  const paths = await glob(pattern.includes("/") ? pattern : `**/${pattern}`, {
    cwd: root,
    dot: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: ["**/.git"],
    signal,
  });
  for (const path of paths.sort()) {
    signal.throwIfAborted();
    const realPath = await realPathOfFile(root, path);
    if (realPath !== undefined) yield { path, realPath };
  }
}

function requireInside(pattern: string): void {
  if (isAbsolute(pattern) || PARENT.test(pattern)) {
    throw new Error(`the pattern ${pattern} would leave the root. Write it relative to the root, without ..`);
  }
}

/** The pattern may have gone through a link by its name, and a file may be gone by now: neither is a file of this tree. */
async function realPathOfFile(root: string, path: string): Promise<string | undefined> {
  const realPath = await resolveInside(root, path).catch(() => undefined);
  if (realPath === undefined) return undefined;
  const about = await stat(realPath).catch(() => undefined);
  return about?.isFile() ? realPath : undefined;
}
