import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./source-file.js";

/**
 * Runs work with a new directory below `parent`, so that what is written there may import what `parent` may.
 * git and lint ignore it.
 */
export async function withScratchDirectory<T>(work: (directory: string) => T | Promise<T>, parent = "."): Promise<T> {
  const scratch = join(repositoryRoot, parent, ".scratch");
  mkdirSync(scratch, { recursive: true });
  const directory = mkdtempSync(join(scratch, "test-"));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
