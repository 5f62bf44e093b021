import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { repositoryRoot } from "./source-file.js";

interface Job {
  readonly needs?: readonly string[];
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps: readonly { readonly run?: string; readonly env?: Readonly<Record<string, string>> }[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const directory = join(repositoryRoot, ".github/workflows");
const workflows = readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "utf8")] as const);
const scripts = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")).scripts;

describe.each(workflows)("%s", (_name, text) => {
  const workflow: Workflow = parse(text);

  // Mutants seen to fail: `@v7` for the commit; a commit without its version.
  it("pins every action to a commit, and says which version that is", () => {
    expect(findUnpinned(text)).toEqual([]);
    expect(text).toContain("uses: ");
  });

  it("gives its jobs no permission that they do not ask for", () => {
    expect([{}, { contents: "read" }]).toContainEqual(workflow.permissions);
  });

  it("runs scripts that package.json has", () => {
    const runs = Object.values(workflow.jobs).flatMap(({ steps }) => steps.map(({ run = "" }) => run));
    const called = runs.flatMap((run) => Array.from(run.matchAll(/npm run (\S+)/g), ([, script = ""]) => script));
    expect(called.filter((script) => scripts[script] === undefined)).toEqual([]);
  });
});

describe("check.yml", () => {
  const { jobs } = readWorkflow("check.yml");

  // Mutants seen to fail: a job that nobody needs; one "success" too few; no `if`, so that a failure skips the job.
  it("has one job to require, which needs every other one to have passed", () => {
    const { required, ...others } = jobs;
    expect(required?.needs?.toSorted()).toEqual(Object.keys(others).sort());
    expect(required?.if).toBe("always()");
    expect(required?.steps).toEqual([
      {
        run: `test "$RESULTS" = "${Object.keys(others)
          .map(() => "success")
          .join(" ")}"`,
        env: { RESULTS: expect.stringMatching(/^\$\{\{ join\(needs\.\*\.result, ' '\) \}\}$/) },
      },
    ]);
  });

  it("tests on Node 20, 22 and 24", () => {
    expect(jobs.test?.strategy?.matrix.node).toEqual([20, 22, 24]);
  });

  it("does what .ci/run does", () => {
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = "" }) => run));
    const checks = Array.from(
      readFileSync(join(repositoryRoot, ".ci/run"), "utf8").matchAll(/npm (?:run (\S+)|(test|start))\b/g),
      ([, script, builtIn]) => script ?? builtIn ?? "",
    );
    expect(checks.length).toBeGreaterThan(8);
    expect(
      checks.filter((script) => !runs.some((run) => run.includes(`npm run ${script}`) || run === `npm ${script}`)),
    ).toEqual([]);
  });
});

it("P3: a release signs what it publishes, and may do so", () => {
  expect(readFileSync(join(repositoryRoot, ".ci/release"), "utf8")).toContain("publish --provenance ");
  expect(readWorkflow("release.yml").jobs.release?.permissions).toEqual({
    contents: "write",
    "pull-requests": "write",
    "id-token": "write",
  });
});

describe("the search for actions that are not pinned", () => {
  it.each([
    "uses: actions/checkout@v7",
    "uses: actions/checkout",
    "uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1",
    "uses: actions/checkout@3d3c42e # v7.0.1",
    "- uses: docker://alpine:3 # v3.0.0",
  ])("finds %s", (line) => {
    expect(findUnpinned(`    ${line}\n`)).toHaveLength(1);
  });
});

function findUnpinned(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => /\buses:/.test(line) && !/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line));
}

function readWorkflow(name: string): Workflow {
  return parse(readFileSync(join(directory, name), "utf8"));
}
