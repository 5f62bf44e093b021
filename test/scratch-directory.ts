import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./source-file.js";

/** Runs work with a new directory in the repository, where `@pod/*` and `vitest` resolve; git and lint ignore it. */
export function withScratchDirectory<T>(work: (directory: string) => T): T {
  const parent = join(repositoryRoot, ".scratch");
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, "test-"));
  try {
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
