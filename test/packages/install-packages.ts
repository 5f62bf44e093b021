import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { parse } from "yaml";
import { repositoryRoot } from "../source-file.js";
import { runCommand } from "./run-command.js";

/** Two folders outside the workspace in which npm has installed the tarballs of all public packages. */
export interface Installed {
  /** Holds nothing else: no `@types/node`, no other library. */
  readonly bare: string;
  /** Holds what the examples of the READMEs import besides. */
  readonly furnished: string;
}

declare module "vitest" {
  interface ProvidedContext {
    readonly installed: Installed;
  }
}

const IMPORTED_BY_EXAMPLES = ["@types/node", "zod", "@ai-sdk/anthropic", "gpt-tokenizer"];
let directory: string;

/** Runs once, before all tests. */
export function setup({ provide }: TestProject): void {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "pod-packages-")));
  const packed = join(directory, "tarballs");
  mkdirSync(packed);
  runCommand("node", [join(repositoryRoot, ".ci/pack-packages.mjs"), packed], { cwd: repositoryRoot });
  const tarballs = readdirSync(packed).map((name) => join(packed, name));
  provide("installed", {
    bare: install("bare", tarballs),
    furnished: install("furnished", [...tarballs, ...IMPORTED_BY_EXAMPLES.map(pin)]),
  });
}

export function teardown(): void {
  rmSync(directory, { recursive: true, force: true });
}

function install(name: string, packages: readonly string[]): string {
  const cwd = join(directory, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ private: true, type: "module" }));
  runCommand("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], {
    cwd,
  });
  return cwd;
}

function pin(name: string): string {
  const { catalog } = parse(readFileSync(join(repositoryRoot, "pnpm-workspace.yaml"), "utf8"));
  if (typeof catalog[name] !== "string") throw new Error(`pnpm-workspace.yaml: catalog has no version of ${name}`);
  return `${name}@${catalog[name]}`;
}
