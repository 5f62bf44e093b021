import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { answer, repliesInOrder, text, toolUse, withProvider } from "@pod/test-harness";
import { describe, expect, it } from "vitest";
import { checkTypes, extractExamples, runExample } from "./readme-examples.js";
import { withScratchDirectory } from "./scratch-directory.js";
import { readPackageDirectories, repositoryRoot } from "./source-file.js";

// The demo depends on everything that an example may import.
const beside = "apps/demo";
const readmes = ["README.md", ...readPackageDirectories().map((directory) => `${directory}/README.md`)]
  .filter((path) => existsSync(join(repositoryRoot, path)))
  .map((path) => ({ path, examples: extractExamples(readFileSync(join(repositoryRoot, path), "utf8")) }));
const examples = readmes.flatMap(({ path, examples }) =>
  examples.map((example, index) => [`${path}, example ${index + 1}`, example] as const),
);

describe("the examples of the READMEs", () => {
  it("are there, in the root's README", () => {
    expect(extractExamples(readFileSync(join(repositoryRoot, "README.md"), "utf8")).length).toBeGreaterThanOrEqual(2);
  });

  it("compile", async () => {
    expect(
      await withScratchDirectory(
        (directory) =>
          checkTypes(
            examples.map(([, example]) => example),
            directory,
          ),
        beside,
      ),
    ).toBe("");
  });

  it.each(examples)("print what they say: %s", async (_title, example) => {
    // A model that asks for one tool and then says so: what an example with a model needs.
    const script = repliesInOrder(answer(toolUse("Glob", { pattern: "*" })), answer(text("Found it.")));
    const ran = await withProvider({ script, inputTokensPerMinute: 30_000 }, ({ url }) =>
      withScratchDirectory(
        (directory) => runExample(example, directory, { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "made-up" }),
        beside,
      ),
    );
    expect(ran).toEqual({ exitCode: 0, prints: example.prints, errors: "" });
  });
});

it.each([
  ["README.md", 120],
  ["CONTRIBUTING.md", 60],
])("%s can be read in one go: at most %i lines", (path, maxLines) => {
  const text = readFileSync(join(repositoryRoot, path), "utf8");
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(maxLines);
});

describe("the check", () => {
  const markdown = "```ts\nconst limit: number = 1;\nconsole.log(limit); // → 1\n```\n\n```sh\nnpm start\n```\n";

  it("reads blocks of ts only, with what they print", () => {
    const code = "const limit: number = 1;\nconsole.log(limit); // → 1\n";
    expect(extractExamples(markdown)).toEqual([{ code, prints: "1" }]);
  });

  it("reads what is printed from the block that follows, whatever its line breaks", () => {
    const [example] = extractExamples("```ts\nconsole.log(limit);\n```\n\n```\n{\n  maxBytes: 1 }\n```\n");
    expect(example?.prints).toBe("{ maxBytes: 1 }");
  });

  it("sees an example that does not compile", async () => {
    const broken = extractExamples(markdown.replace("= 1", '= "1"'));
    const complaints = await withScratchDirectory((directory) => checkTypes(broken, directory), beside);
    expect(complaints).toContain("TS2322");
  });

  it("sees what an example prints, and that it throws", async () => {
    const throwing = { code: 'console.log(2);\nthrow new Error("broken");', prints: "1" };
    const ran = await withScratchDirectory((directory) => runExample(throwing, directory, {}), beside);
    expect(ran).toMatchObject({ exitCode: 1, prints: "2", errors: expect.stringContaining("broken") });
  });
});
