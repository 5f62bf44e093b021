import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A directory `root` with a secret beside it, and links of every kind in it that lead there. */
export interface Tree {
  readonly root: string;
  readonly outside: string;
}

export const SECRET = "the-secret-beside-the-root";

const FILES = {
  "root/a.txt": "alpha\nbeta\r\nalphabet",
  "root/.dot": "alpha",
  "root/sub/b.ts": "const beta = 1;",
  "root/sub/deep/c.ts": "const gamma = 2;",
  "root/node_modules/x/index.js": "alpha",
  "root/.git/config": "alpha of git's own",
  "root/binary": "alpha\0",
  "outside/secret.txt": SECRET,
  // A name that begins like the root's, and is not below it.
  "root-too/secret.txt": SECRET,
};

const LINKS = {
  "root/inner": "sub",
  "root/file-link": "../outside/secret.txt",
  "root/dir-link": "../outside",
  "root/sub/up": "../../outside",
  "root/dangling": "nowhere",
};

/** Makes the tree, hands it to `use`, and removes it. */
export async function withTree<T>(use: (tree: Tree) => Promise<T>): Promise<T> {
  const base = await mkdtemp(join(tmpdir(), "pod-demo-"));
  try {
    for (const [path, content] of Object.entries(FILES)) {
      await mkdir(dirname(join(base, path)), { recursive: true });
      await writeFile(join(base, path), content);
    }
    for (const [path, target] of Object.entries(LINKS)) await symlink(target, join(base, path));
    return await use({ root: join(base, "root"), outside: join(base, "outside") });
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}
