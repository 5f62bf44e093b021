import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { findEntries, readPublicManifests } from "../package-manifests.js";
import { repositoryRoot } from "../source-file.js";

const { bare } = inject("installed");
const entries = readPublicManifests().flatMap(findEntries);

const resolutions = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "preserve", moduleResolution: "bundler" },
};

const uses = `
${entries.map(({ specifier }, index) => `import * as entry${index} from "${specifier}";`).join("\n")}
import { capText, type ToolOutputLimits } from "@pod/tool-output-cap";
import { executeTools, type ToolResult } from "@pod/llm-worker";
import { parseManifest } from "@pod/manifest";
import { createTokenEstimator, createUsageCounter, type TokenEstimator } from "@pod/token-counter";
import { type BpeCounter, createBpeCounter } from "@pod/token-counter/bpe";

export const all: readonly object[] = [${entries.map((_, index) => `entry${index}`).join(", ")}];
export const limits: ToolOutputLimits = parseManifest("").manifest.worker.toolOutput;
export const text: string = capText("a", { maxBytes: 1 }).text;
export const results: Promise<readonly ToolResult[]> = executeTools([], { tools: [], toolOutput: limits });
export const estimator: TokenEstimator = createTokenEstimator(createUsageCounter());
export const counter: BpeCounter = createBpeCounter("o200k_base");
`;

const misuses = `
import { capText } from "@pod/tool-output-cap";
import { executeTools } from "@pod/llm-worker";
import { parseManifest } from "@pod/manifest";
import { fromLanguageModel } from "@pod/llm-worker/ai-sdk";
import { openSessionLog } from "@pod/llm-worker/session-log";
import { createTokenEstimator } from "@pod/token-counter";
import { createBpeCounter } from "@pod/token-counter/bpe";

capText(5, { maxBytes: 1 });
executeTools(5, { tools: [] });
parseManifest(5);
fromLanguageModel(5);
openSessionLog(5);
createTokenEstimator().estimate(5);
createBpeCounter(5);
`;

describe.each([
  ["5.9", "typescript-5.9"],
  ["7.0", "typescript"],
])("TypeScript %s", (version, compiler) => {
  const tsc = join(repositoryRoot, "node_modules", compiler, "bin/tsc");

  it("is the one that is meant", () => {
    expect(spawnSync(process.execPath, [tsc, "--version"], { encoding: "utf8" }).stdout).toMatch(`Version ${version}.`);
  });

  // Every declaration is checked, and there are no types of Node: what a declaration needs, its package brings along.
  // Mutants seen to fail: a declaration with NodeJS.Platform; `files` without the declarations.
  it.each(Object.entries(resolutions))(
    "P1 P3: takes right uses and refuses wrong ones, with %s",
    (_name, resolution) => {
      const directory = mkdtempSync(join(bare, "types-"));
      writeFileSync(join(directory, "uses.ts"), uses);
      writeFileSync(join(directory, "misuses.ts"), misuses);
      const compilerOptions = {
        ...resolution,
        target: "es2023",
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        types: [],
      };
      writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
      const { stdout } = spawnSync(process.execPath, [tsc, "--pretty", "false"], { cwd: directory, encoding: "utf8" });
      const faults = stdout.split("\n").filter((line) => /^\S/.test(line));
      expect(faults.map((fault) => fault.split(":").slice(0, 2).join(":"))).toEqual(
        [10, 11, 12, 13, 14, 15, 16].map((line) =>
          expect.stringMatching(`^misuses.ts\\(${line},\\d+\\): error TS2345$`),
        ),
      );
    },
  );
});
