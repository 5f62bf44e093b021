import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkCitations, citedClauses, findTitles, readClauses } from "./clauses.js";
import { parseSource, readPackageDirectories, readSources, repositoryRoot } from "./source-file.js";

const spec = readFileSync(join(repositoryRoot, "docs/spec.md"), "utf8");
const clauses = readClauses(spec);

describe("docs/spec.md", () => {
  it("numbers the clauses of each letter from 1, without a gap", () => {
    const expected = { C: 16, E: 7, M: 12, W: 20, K: 5, X: 11, T: 4, D: 6, P: 5 };
    const ids = Object.entries(expected).flatMap(([letter, count]) =>
      Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
    );
    expect(clauses.map((clause) => clause.id)).toEqual(ids);
  });

  it("has every clause that is built cited by a test title, and no unknown clause cited", () => {
    // C12 is about cost, which the benchmark shows: no test asserts on time.
    const expected = clauses.map(({ id, later }) => ({ id, later: later || id === "C12" }));
    const sources = [...readPackageDirectories().map((directory) => `${directory}/test`), "test"].flatMap(readSources);
    expect(checkCitations(expected, sources)).toEqual([]);
  });

  it("has C12 cited by the benchmark", () => {
    const benchmark = readFileSync(join(repositoryRoot, "packages/tool-output-cap/bench/cap-text.ts"), "utf8");
    expect(benchmark).toMatch(/["'`]C12: /);
  });
});

describe("the scanner", () => {
  const made = (text: string) => parseSource("made-up.test.ts", text);
  const madeSpec = "### C1 First\ntext\n### C2 Second\n### C3 Third (later)\n";

  it("reports a clause that no title cites, and not one of a later issue", () => {
    const faults = checkCitations(readClauses(madeSpec), [
      made(`it("C1: caps", () => {}); it("C10: caps", () => {});`),
    ]);
    expect(faults).toEqual([
      'made-up.test.ts: "C10: caps" cites C10, which docs/spec.md does not have',
      'C2 is cited by no test title. Write: it("C2: …")',
    ]);
  });

  it.each([
    ["a comment", `// it("C1: caps")`],
    ["a string that is no title", `const title = "C1: caps"; run("C1: caps");`],
    ["a skipped test", `it.skip("C1: caps", () => {}); describe.skip("C1: caps", () => {});`],
    ["a planned test", `it.todo("C1: caps");`],
    ["the middle of a title", `it("caps, see C1: it must", () => {});`],
    ["a clause without its colon", `it("C1 caps", () => {});`],
    ["the second argument", `it("caps", "C1: caps");`],
  ])("does not take %s for a citation", (_what, text) => {
    expect(findTitles(made(text)).flatMap(citedClauses)).toEqual([]);
  });

  it.each([
    ["it", `it("C1 C2: caps", () => {});`],
    ["test", `test('C1, C2: caps', () => {});`],
    ["a template", `it(\`C1 C2: caps \${1} bytes\`, () => {});`],
    ["describe", `describe("C1: limits", () => { it("C2: caps", () => {}); });`],
    ["a table", `it.each([1, 2])("C1 C2: caps %i", () => {});`],
    ["a concurrent table", `it.concurrent.each([1, 2])("C1 C2: caps %i", () => {});`],
    ["a tagged table", `it.each\`a\\n\${1}\`("C1 C2: caps $a", () => {});`],
  ])("reads the titles of %s", (_what, text) => {
    expect(findTitles(made(text)).flatMap(citedClauses)).toEqual(["C1", "C2"]);
  });
});
