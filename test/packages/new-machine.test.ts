import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyWorkspace } from "./copy-workspace.js";
import { runCommand } from "./run-command.js";

// node, npm with its npx, and the shell that npm runs scripts with.
const programs = ["node", "npm", "npx", "sh"];
let copy: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  copy = copyWorkspace();
  const bin = join(copy, ".bin");
  mkdirSync(bin);
  for (const program of programs) symlinkSync(findProgram(program), join(bin, program));
  env = { PATH: bin, HOME: process.env.HOME, CI: "true" };
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

// Mutants seen to fail: no `prestart`; a script that calls pnpm by its name.
describe("a machine that has Node and npm only, after a clone", () => {
  it("P5: replays the incident with npm start", () => {
    const report = JSON.parse(runCommand("npm", ["start", "--silent", "--", "--json"], { cwd: copy, env }));
    expect(report.runs.map(({ name }: { readonly name: string }) => name)).toEqual(["uncapped", "capped"]);
    expect(report.runs[1].outcome).toBe("finished");
  });

  it("P5: tests with npm test", () => {
    rmSync(join(copy, "node_modules"), { recursive: true });
    const printed = runCommand(
      "npm",
      ["test", "--silent", "--", "--project=tool-output-cap", "--reporter=json", "test/limits.test.ts"],
      { cwd: copy, env },
    );
    expect(JSON.parse(printed)).toMatchObject({ success: true, numFailedTests: 0 });
    expect(JSON.parse(printed).numPassedTests).toBeGreaterThan(0);
  });
});

function findProgram(name: string): string {
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`no ${name} on PATH`);
  return found;
}
