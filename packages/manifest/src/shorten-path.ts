import { isAbsolute, relative, sep } from "node:path";

/** A path as people say it: from where they stand, else from their home directory with `~`, else in full. */
export function shortenPath(path: string, directory: string, home: string | undefined): string {
  const below = pathBelow(path, directory);
  if (below !== undefined) return below;
  const belowHome = home && pathBelow(path, home);
  return belowHome ? `~${sep}${belowHome}` : path;
}

function pathBelow(path: string, directory: string): string | undefined {
  const below = relative(directory, path);
  return below === "" || below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below) ? undefined : below;
}
