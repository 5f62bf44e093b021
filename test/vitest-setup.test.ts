import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withScratchDirectory } from "./scratch-directory.js";
import { repositoryRoot } from "./source-file.js";

const fixtures = {
  "a-test": `
    import { it } from "vitest";
    it("is quiet", () => {});
    it("logs", () => console.log("1"));
    it("warns", () => console.warn("1"));
    it("is quiet after a loud one", () => {});
    it("writes to stdout", () => { process.stdout.write("1"); });
    it("writes to stderr", () => { process.stderr.write("1"); });`,
  "a-module": `
    import { it } from "vitest";
    console.info("1");
    it("is in a file that prints when it is loaded", () => {});`,
};

it("a test that prints fails, and no other", async () => {
  expect(await runFixtures()).toEqual({
    "is quiet": "passed",
    logs: "failed",
    warns: "failed",
    "is quiet after a loud one": "passed",
    "writes to stdout": "failed",
    "writes to stderr": "failed",
    "is in a file that prints when it is loaded": "failed",
  });
});

function runFixtures(): Promise<Readonly<Record<string, string>>> {
  return withScratchDirectory((directory) => {
    for (const [name, text] of Object.entries(fixtures)) writeFileSync(join(directory, `${name}.test.ts`), text);
    const setup = join(repositoryRoot, "vitest.setup.ts");
    const config = `export default { test: { setupFiles: [${JSON.stringify(setup)}] } };`;
    writeFileSync(join(directory, "vitest.config.mjs"), config);
    const vitest = join(repositoryRoot, "node_modules/vitest/vitest.mjs");
    const { PATH } = process.env;
    const child = spawnSync(process.execPath, [vitest, "run", "--root", directory, "--reporter=json"], {
      encoding: "utf8",
      env: { PATH },
    });
    const report: { testResults: { assertionResults: { title: string; status: string }[] }[] } = JSON.parse(
      child.stdout,
    );
    const results = report.testResults.flatMap((file) => file.assertionResults);
    return Object.fromEntries(results.map(({ title, status }) => [title, status]));
  });
}
