import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Conditions, readPublicManifests } from "./package-manifests.js";
import { repositoryRoot } from "./source-file.js";

describe.each(readPublicManifests())("$directory/package.json", ({ manifest }) => {
  it("P1: states ESM, Node 20.19, no side effects, and a licence", () => {
    expect(manifest).toMatchObject({
      type: "module",
      engines: { node: ">=20.19" },
      sideEffects: false,
      license: "MIT",
      publishConfig: { access: "public" },
    });
  });

  // Mutant seen to fail: publishConfig.imports left out; the types of a subpath left out.
  it("P1 P2: publishes its exports and imports with their types and without the source condition", () => {
    expect(manifest.publishConfig?.exports).toEqual(dropSource(manifest.exports));
    expect(manifest.publishConfig?.imports).toEqual(dropSource(manifest.imports));
    for (const entry of Object.values(manifest.publishConfig?.exports ?? {})) {
      if (typeof entry !== "string") expect(Object.keys(entry)).toEqual(["types", "default"]);
    }
  });

  it("P2: tries the source first", () => {
    for (const branch of [...Object.values(manifest.exports ?? {}), ...Object.values(manifest.imports ?? {})]) {
      if (typeof branch !== "string") expect(Object.keys(branch)[0]).toBe("@pod/source");
    }
  });
});

describe("releases", () => {
  it("P3: are of these packages and no other", () => {
    const names = readPublicManifests().map(({ manifest }) => manifest.name);
    expect(names).toEqual([
      "@pod/llm-worker",
      "@pod/manifest",
      "@pod/mcp-cap",
      "@pod/token-counter",
      "@pod/tool-output-cap",
    ]);
  });

  it("P3: bring the public packages in one version", () => {
    expect(new Set(readPublicManifests().map(({ manifest }) => manifest.version)).size).toBe(1);
  });
});

it("P5: every script takes the same pnpm, the one that package.json names", () => {
  const texts = ["package.json", ...readdirSync(join(repositoryRoot, ".ci")).map((name) => `.ci/${name}`)]
    .map((path) => readFileSync(join(repositoryRoot, path), "utf8"))
    .join("\n");
  const versions = Array.from(texts.matchAll(/\bpnpm@[\w.]+/g), ([version]) => version);
  expect(versions.length).toBeGreaterThan(3);
  expect(new Set(versions).size).toBe(1);
});

function dropSource(conditions: Conditions | undefined): Conditions | undefined {
  if (conditions === undefined || typeof conditions === "string") return conditions;
  const kept = Object.entries(conditions).filter(([condition]) => condition !== "@pod/source");
  return Object.fromEntries(kept.map(([condition, branch]) => [condition, dropSource(branch) ?? ""]));
}
