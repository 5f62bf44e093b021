import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readPublicManifests } from "./package-manifests.js";
import { repositoryRoot } from "./source-file.js";

const directory = join(repositoryRoot, ".changeset");
const changesets = readdirSync(directory)
  .filter((name) => name.endsWith(".md"))
  .map((name) => [name, readFileSync(join(directory, name), "utf8")] as const);

describe("the changesets", () => {
  // An empty list is the state after a release.
  it("P3: are each one sentence for the user, about a public package", () => {
    expect(changesets.map(([name, text]) => `${name}: ${judge(text)}`)).toEqual(
      changesets.map(([name]) => `${name}: fine`),
    );
  });

  it.each([
    ["two sentences", '---\n"@pod/manifest": minor\n---\n\nReads a file. Writes one.\n'],
    ["two lines", '---\n"@pod/manifest": minor\n---\n\nReads a file,\nand writes one.\n'],
    ["no full stop", '---\n"@pod/manifest": minor\n---\n\nReads a file\n'],
    ["a private package", '---\n"@pod/demo": minor\n---\n\nReads a file.\n'],
    ["no package", "---\n---\n\nReads a file.\n"],
  ])("P3: are not fine with %s", (_what, text) => {
    expect(judge(text)).not.toBe("fine");
  });
});

function judge(text: string): string {
  const [, front = "", body = ""] = /^---\n(.*?)---\n\n(.*)$/s.exec(text) ?? [];
  const names = Object.keys(parse(front) ?? {});
  const known = readPublicManifests().map(({ manifest }) => manifest.name);
  if (names.length === 0 || names.some((name) => !known.includes(name))) return "is about no public package";
  return /^[^\n]*[^.\n]\.\n$/.test(body) && !/\. [A-Z]/.test(body) ? "fine" : "is not one sentence on one line";
}
