import { cpSync, existsSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../source-file.js";
import { runCommand } from "./run-command.js";

/** A new directory with the files that git would clone, in their present state. Not a clone: the tree may be another user's. */
export function copyWorkspace(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "pod-workspace-")));
  const listed = runCommand("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: repositoryRoot,
  });
  for (const path of listed.split("\0").filter((path) => path !== "" && existsSync(join(repositoryRoot, path)))) {
    cpSync(join(repositoryRoot, path), join(copy, path));
  }
  return copy;
}
