import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { explainManifest } from "../src/command/explain-manifest.js";
import { parseManifest } from "../src/index.js";
import { createTree } from "./support/scratch-tree.js";

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

it("M10: the README shows what explain writes", async () => {
  const home = await createTree({
    "work/pod.toml": `[worker.tool_output.per_tool]${"\n".repeat(8)}Grep = 8192`,
    ".config/pod/pod.toml": `[worker.tool_output.per_tool]${"\n".repeat(3)}Grep = 4096`,
  });
  const options = { file: undefined, toolName: undefined, format: "text" } as const;
  const explained = await explainManifest(options, { cwd: `${home}/work`, env: { HOME: home } });
  expect(block("console")).toBe(explained.stdout);
});

it("M9: the README names the schema by the path that it has in an installed package", () => {
  const { name, files, exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(readme).toContain(`#:schema ./node_modules/${name}/schema.json\n`);
  expect(files).toContain("schema.json");
  expect(exports["./schema.json"]).toBe("./schema.json");
});
