import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseManifest } from "../src/index.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

function block(language: string): string {
  const text = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(readme)?.[1];
  if (text === undefined) throw new Error(`README.md has no block of ${language}`);
  return text;
}

// The block of ts is run by the repository's own test of all READMEs.
it("M1: the README's manifest gives the README's data, without a warning", () => {
  const { manifest, warnings } = parseManifest(block("toml"));
  expect(manifest).toEqual(JSON.parse(block("json")));
  expect(warnings).toEqual([]);
});

it("M7: the README's error is what its manifest gives", () => {
  expect(() => parseManifest('[worker.tool_output.per_tool]\nRead = "32k"', { file: "pod.toml" })).toThrow(
    block("text").trimEnd(),
  );
});

it("M2: the README states the default", () => {
  const { defaultMaxBytes } = parseManifest("").manifest.worker.toolOutput;
  expect(readme).toMatch(new RegExp(`default_max_bytes\` +\\|.*\\| ${defaultMaxBytes} +\\|`));
});
