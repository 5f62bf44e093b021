import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";

/**
 * The real path of what `path` names below `root`, itself a real path. Throws where it leads out of the root: by `..`, as an
 * absolute path, or through a symbolic link at any place in it.
 */
export async function resolveInside(root: string, path: string): Promise<string> {
  const named = resolve(root, path);
  if (!isInside(root, named)) throw new Error(`${path} is outside the root. Write a path relative to the root`);
  const real = await realpath(named).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be found (${cause.code}). Glob lists what is there`);
  });
  if (!isInside(root, real)) throw new Error(`${path} leads out of the root through a symbolic link`);
  return real;
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
