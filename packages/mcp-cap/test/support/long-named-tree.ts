import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory with 2,500 files whose names are long, and one file of 400 KB. Lists of it are over 100 KB. */
export function createLongNamedTree(): string {
  const root = mkdtempSync(join(tmpdir(), "mcp-cap-tree-"));
  const directory = join(root, "files");
  mkdirSync(directory);
  for (let file = 0; file < 2_500; file++) {
    writeFileSync(join(directory, `a-file-whose-name-is-as-long-as-many-are-${String(file).padStart(4, "0")}.txt`), "");
  }
  writeFileSync(join(root, "long.txt"), "A line of a file that is much too long.\n".repeat(10_000));
  return root;
}
