import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const sources = new URL("../src/", import.meta.url).pathname;

// The demo starts a provider for its users: they should not wait for a test framework to load.
// Mutant seen to fail: index.ts exports countUtf8Bytes of arbitraries.ts again.
it("T1: is loaded without the test framework and the generators, which only the laws need", () => {
  expect(findPackages("index.ts").filter((name) => !name.startsWith("node:"))).toEqual([]);
  expect(findPackages("laws.ts").filter((name) => !name.startsWith("node:"))).toEqual(["fast-check", "vitest"]);
});

function findPackages(entry: string, visited: Set<string> = new Set()): readonly string[] {
  visited.add(entry);
  const text = readFileSync(join(sources, entry), "utf8");
  const specifiers = Array.from(
    text.matchAll(/^(?:import|export|\}) .*?from "(.+)";$/gm),
    ([, specifier = ""]) => specifier,
  );
  const own = specifiers
    .filter((specifier) => specifier.startsWith("./"))
    .map((path) => path.slice(2).replace(/js$/, "ts"));
  const beyond = own.filter((path) => !visited.has(path)).flatMap((path) => findPackages(path, visited));
  return [...new Set([...specifiers.filter((specifier) => !specifier.startsWith(".")), ...beyond])].sort();
}
