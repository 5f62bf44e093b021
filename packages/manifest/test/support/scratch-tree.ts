import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes files, by path and text, into a new directory that is gone after the test. A path that ends in `/` is a directory. */
export async function createTree(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pod-manifest-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const target = join(root, path);
    await mkdir(path.endsWith("/") ? target : dirname(target), { recursive: true });
    if (!path.endsWith("/")) await writeFile(target, content);
  }
  return root;
}
