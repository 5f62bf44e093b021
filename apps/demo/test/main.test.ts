import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { USAGE } from "../src/read-arguments.js";
import type { Report } from "../src/report.js";
import { BOUND_MS, type Exit, runDemo } from "./run-demo.js";
import { withTree } from "./tree.js";

function runOf(report: Report, name: "uncapped" | "capped") {
  const run = report.runs.find((candidate) => candidate.name === name);
  if (run === undefined) throw new Error(`the report has no run ${name}`);
  return run;
}

describe("as shipped, over the project's own tree", () => {
  let exit: Exit;
  let report: Report;
  beforeAll(async () => {
    exit = await runDemo(["--json"]);
    report = JSON.parse(exit.stdout);
  }, BOUND_MS + 10_000);

  it("D1: exits with 0 and warns of nothing", () => {
    expect(exit).toMatchObject({ code: 0, stderr: "" });
  });

  it("D1: uncapped, one Glob of 1,000 hits makes a request that no wait lets through", () => {
    const { outcome, requests } = runOf(report, "uncapped");
    expect(outcome).toBe("rate-limited");
    expect(requests.map(({ status }) => status)).toEqual([200, 429, 429, 429, 429, 429]);
    expect(requests.at(-1)?.inputTokens).toBeGreaterThan(report.limitTokensPerMinute ?? 0);
    expect(requests.at(-1)?.bytes).toBeGreaterThan(90_000);
  });

  it("D1: capped, the model narrows and finishes, every request under the limit and none refused", () => {
    const { outcome, requests } = runOf(report, "capped");
    expect(outcome).toBe("finished");
    expect(requests.length).toBeGreaterThanOrEqual(3);
    expect(requests.every(({ status }) => status === 200)).toBe(true);
    expect(Math.max(...requests.map(({ inputTokens }) => inputTokens))).toBeLessThan(30_000);
    expect(requests[0]).toEqual(runOf(report, "uncapped").requests[0]);
  });

  it("D3: --json prints these fields, and nothing else", () => {
    const number = expect.any(Number);
    expect(report).toEqual({
      limitTokensPerMinute: 30_000,
      runs: ["uncapped", "capped"].map((name) => ({ name, outcome: expect.any(String), requests: expect.any(Array) })),
    });
    for (const request of report.runs.flatMap(({ requests }) => requests)) {
      expect(request).toEqual({ bytes: number, inputTokens: number, status: number });
    }
  });
});

describe("with other trees and limits", () => {
  it(
    "D1 D3: --root and --manifest: both runs side by side over another tree, with the manifest's warnings told apart",
    () =>
      withTree(async ({ root, outside }) => {
        const file = join(outside, "pod.toml");
        await writeFile(file, "[worker.tool_output.per_tool]\nGlob = 100\nread = 500\n");
        const { code, stdout, stderr } = await runDemo(["--root", root, "--manifest", file]);
        expect(code).toBe(0);
        expect(stdout).toContain(root);
        expect(stdout).toMatch(/^ +uncapped +capped$/m);
        expect(stdout).toMatch(/^ 1 +([\d,]+) +([\d,]+) +2 % {2}Glob \* +\1 +\2 +2 % {2}Glob \*$/m);
        expect(stdout).toMatch(/^(uncapped|capped:) +finished\./m);
        expect(stderr).toContain("per_tool.Glob");
        expect(stderr).toContain('"read"');
      }),
    BOUND_MS + 10_000,
  );

  it(
    "D2 D3: --report writes the page, says where, and leaves standard output to the numbers",
    () =>
      withTree(async ({ root, outside }) => {
        const file = join(outside, "report.html");
        const { code, stdout, stderr } = await runDemo(["--root", root, "--report", file, "--json"]);
        expect({ code, stderr }).toEqual({ code: 0, stderr: `The report is in ${file}\n` });
        const report: Report = JSON.parse(stdout);
        const page = await readFile(file, "utf8");
        expect(page).toMatch(/^<!doctype html>.*<\/html>\n$/s);
        expect(page).toContain(root);
        for (const { inputTokens } of report.runs.flatMap(({ requests }) => requests)) {
          expect(page).toContain(`data-input-tokens="${inputTokens}"`);
        }
      }),
    BOUND_MS + 10_000,
  );

  it.each([
    [["--json", "--report", "/there/is/none.html"], "/there/is/none.html"],
    [["--json", "--live"], "ANTHROPIC_API_KEY"],
    [["--json", "--manifest", "/there/is/none.toml"], "/there/is/none.toml"],
  ])(
    "D3: %j is an error with the usage on standard error, and exit code 2",
    async (args, named) => {
      const { code, stdout, stderr } = await runDemo(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(named);
      expect(stderr).toContain("--manifest FILE");
    },
    BOUND_MS + 10_000,
  );

  it(
    "D3: --help prints the usage",
    async () => {
      expect(await runDemo(["--help"])).toEqual({ code: 0, stderr: "", stdout: `${USAGE}\n` });
    },
    BOUND_MS + 10_000,
  );
});
