import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer, repliesInOrder, text, toolUse, withProvider } from "@pod/test-harness";
import { describe, expect, inject, it } from "vitest";
import { findEntries, readPublicManifests } from "../package-manifests.js";
import { extractExamples, runNode } from "../readme-examples.js";
import { repositoryRoot } from "../source-file.js";
import { runCommand } from "./run-command.js";

const { bare, furnished } = inject("installed");
const tsc = join(repositoryRoot, "node_modules/typescript/bin/tsc");
const readmes = ["README.md", ...readPublicManifests().map(({ directory }) => `${directory}/README.md`)];
/** Its tables are those of gpt-tokenizer, an optional peer. */
const NEEDS_ITS_PEER = ["@pod/token-counter/bpe"];
const examples = readmes.flatMap((path) =>
  extractExamples(readFileSync(join(repositoryRoot, path), "utf8")).map(
    (example, index) => [`${path}, example ${index + 1}`, example] as const,
  ),
);

describe("installed from their tarballs, the packages", () => {
  it.each(examples)("P3: run %s", async (_title, example) => {
    const directory = mkdtempSync(join(furnished, "example-"));
    writeFileSync(join(directory, "example.ts"), `${example.code}\nexport {};\n`);
    runCommand(
      process.execPath,
      [tsc, "--strict", "--skipLibCheck", "--module", "nodenext", "--types", "node", "example.ts"],
      { cwd: directory },
    );
    // A model that asks for one tool and then says so: what an example with a model needs.
    const script = repliesInOrder(answer(toolUse("Glob", { pattern: "*" })), answer(text("Found it.")));
    const ran = await withProvider({ script, inputTokensPerMinute: 30_000 }, ({ url }) =>
      runNode(["example.js"], directory, { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "made-up" }),
    );
    expect(ran).toEqual({ exitCode: 0, prints: example.prints, errors: "" });
  });

  it.each(readPublicManifests().flatMap(findEntries))(
    "P4: export from $specifier what the sources do, with no library beside them but a peer",
    async ({ specifier, source }) => {
      const print = `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(specifier)})).sort()))`;
      const cwd = NEEDS_ITS_PEER.includes(specifier) ? furnished : bare;
      const names = runCommand(process.execPath, ["--input-type=module", "--eval", print], { cwd });
      expect(JSON.parse(names)).toEqual(Object.keys(await import(source)).sort());
    },
  );
});
