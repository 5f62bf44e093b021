import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withScratchDirectory } from "./scratch-directory.js";
import { repositoryRoot } from "./source-file.js";

describe("the last line of .ci/run", () => {
  it.each([
    ["counts the tests", { numTotalTests: 9, numPassedTests: 9 }, [], "9 passed, 0 failed", 0],
    [
      "counts failed tests once, not their step too",
      { numTotalTests: 9, numPassedTests: 7 },
      ["tests"],
      "7 passed, 2 failed",
      1,
    ],
    ["counts a test that did not run as failed", { numTotalTests: 9, numPassedTests: 8 }, [], "8 passed, 1 failed", 1],
    [
      "counts a test step that failed outside its tests",
      { numTotalTests: 9, numPassedTests: 9 },
      ["tests"],
      "9 passed, 1 failed",
      1,
    ],
    [
      "counts every other failed step",
      { numTotalTests: 9, numPassedTests: 8 },
      ["tests", "demo", "build"],
      "8 passed, 3 failed",
      1,
    ],
    ["fails when no test ran", { numTotalTests: 0, numPassedTests: 0 }, [], "0 passed, 1 failed", 1],
    ["fails when there is no report", undefined, ["tests"], "0 passed, 1 failed", 1],
    ["fails when the report is broken", "half a rep", [], "0 passed, 1 failed", 1],
  ])("%s", async (_what, report, failedSteps, line, exitCode) => {
    const { stdout, status } = await withScratchDirectory((directory) => {
      const file = join(directory, "tests.json");
      if (report !== undefined) writeFileSync(file, typeof report === "string" ? report : JSON.stringify(report));
      const count = join(repositoryRoot, ".ci/count.mjs");
      return spawnSync(process.execPath, [count, `tests=${file}`, "--", ...failedSteps], { encoding: "utf8" });
    });
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(line);
    expect(status).toBe(exitCode);
  });

  it.each([
    [
      "adds up the tests of all reports",
      [
        { total: 9, passed: 9 },
        { total: 4, passed: 4 },
      ],
      [],
      "13 passed, 0 failed",
      0,
    ],
    [
      "counts a failed step by its own report, whatever another one says",
      [
        { total: 9, passed: 8 },
        { total: 4, passed: 4 },
      ],
      ["tests", "browser tests"],
      "12 passed, 2 failed",
      1,
    ],
    ["fails when one of the reports is missing", [{ total: 9, passed: 9 }], [], "9 passed, 1 failed", 1],
  ])("%s", async (_what, reports, failedSteps, line, exitCode) => {
    const { stdout, status } = await withScratchDirectory((directory) => {
      const named = ["tests", "browser tests"].map((step, place) => {
        const file = join(directory, `${place}.json`);
        const report = reports[place];
        if (report !== undefined) {
          writeFileSync(file, JSON.stringify({ numTotalTests: report.total, numPassedTests: report.passed }));
        }
        return `${step}=${file}`;
      });
      const count = join(repositoryRoot, ".ci/count.mjs");
      return spawnSync(process.execPath, [count, ...named, "--", ...failedSteps], { encoding: "utf8" });
    });
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(line);
    expect(status).toBe(exitCode);
  });

  it("stands below the failed tests, so that the end of a log is enough", async () => {
    const failed = {
      status: "failed",
      fullName: "C1 cuts",
      failureMessages: [`expected 1 to be 2${"-".repeat(9_000)}`],
    };
    const testResults = [
      { name: "a.test.ts", message: "", assertionResults: [{ status: "passed", fullName: "C2" }, failed] },
      { name: "b.test.ts", message: "cannot find module", assertionResults: [] },
      { name: "c.test.ts", message: "", assertionResults: [] },
    ];
    const { stdout } = await withScratchDirectory((directory) => {
      const file = join(directory, "tests.json");
      writeFileSync(file, JSON.stringify({ numTotalTests: 2, numPassedTests: 1, testResults }));
      return spawnSync(process.execPath, [join(repositoryRoot, ".ci/count.mjs"), `tests=${file}`, "--", "tests"], {
        encoding: "utf8",
      });
    });
    expect(stdout.replace(/-+/, "-")).toBe(`
failed in tests: a.test.ts: C1 cuts
expected 1 to be 2-

failed in tests: b.test.ts
cannot find module

failed: tests
1 passed, 1 failed
`);
    expect(stdout.length).toBeLessThan(3_000);
  });
});
