import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { readPackageDirectories, repositoryRoot } from "./source-file.js";

const documents = [
  ...[".", ...readPackageDirectories()].flatMap((directory) => listDocuments(directory, {})),
  // docs/api is generated: it holds copies.
  ...listDocuments("docs", { recursive: true }).filter((path) => !path.startsWith("docs/api/")),
];

it.each(documents)("%s links to files that exist", (path) => {
  expect(findDeadLinks(path, readFileSync(join(repositoryRoot, path), "utf8"))).toEqual([]);
});

it("a link to a file that does not exist is found", () => {
  const text = "[there](spec.md#c4-x) [gone](gone.md) [up](../README.md) [out](https://example.com) [here](#top)";
  expect(findDeadLinks("docs/made-up.md", text)).toEqual(["gone.md"]);
});

function findDeadLinks(path: string, text: string): readonly string[] {
  const targets = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target);
  return targets
    .filter((target) => !/^[a-z]+:|^#/.test(target))
    .filter((target) => !existsSync(join(repositoryRoot, dirname(path), target.split("#")[0] ?? "")));
}

function listDocuments(directory: string, options: { readonly recursive?: boolean }): readonly string[] {
  return readdirSync(join(repositoryRoot, directory), { ...options, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(directory, name));
}
