import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseManifest } from "@pod/manifest";
import { describe, expect, it } from "vitest";
import { playScene } from "../src/scene.js";
import { mcpScene } from "../src/scenes/mcp.js";
import { BOUND_MS, runDemo } from "./run-demo.js";
import { withTree } from "./tree.js";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));
const LARGEST = /Its largest result was ([\d,]+) bytes of text and ([\d,]+) of structure\.$/;

/** UTF-8 bytes of text and structure. */
function readLargest(detail = ""): readonly number[] {
  const found = LARGEST.exec(detail);
  if (found === null) throw new Error(`no largest result in ${detail}`);
  return found.slice(1).map((number) => Number(number.replaceAll(",", "")));
}

describe("the tools as an MCP server", () => {
  // Mutants seen to fail: mcp-cap with --dry-run; the command line without mcp-cap.
  it("D5 X11: kill a client that caps nothing, and finish behind mcp-cap, within the limit in both forms", async () => {
    const { toolOutput } = parseManifest("").manifest.worker;
    const scene = await mcpScene({ root: PROJECT, toolOutput });
    const played = await playScene(scene);
    const [direct, capped] = played.runs;
    expect(direct?.outcome).toBe("rate-limited");
    expect(direct?.requests.map(({ status }) => status)).toEqual([200, 429, 429, 429, 429, 429]);
    expect(direct?.requests.at(-1)?.inputTokens).toBeGreaterThan(30_000);
    expect(readLargest(direct?.detail).every((bytes) => bytes > 90_000)).toBe(true);
    expect(capped?.outcome).toBe("finished");
    expect(capped?.detail).toContain("It is capped in packages/tool-output-cap/src/cap-tool-result.ts.");
    expect(capped?.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const { inputTokens } of capped?.requests ?? []) expect(inputTokens).toBeLessThan(30_000);
    expect(readLargest(capped?.detail).every((bytes) => bytes > 15_000 && bytes <= 16_384)).toBe(true);
    expect(capped?.requests[0]).toEqual(direct?.requests[0]);
    expect(scene.findUnshown(played)).toEqual([]);
    expect(scene.findUnshown({ ...played, runs: [] })).not.toEqual([]);
  });

  it(
    "D3 D5: are shown side by side, over another tree, and mcp-cap takes the limits of --manifest",
    () =>
      withTree(async ({ root, outside }) => {
        const file = join(outside, "pod.toml");
        await writeFile(file, "[worker.tool_output.per_tool]\nGlob = 150\n");
        await writeFile(join(root, "a-name-that-is-long-".repeat(10)), "");
        const { code, stdout, stderr } = await runDemo(["--mcp", "--root", root, "--manifest", file]);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        expect(stdout).toMatch(/^ +direct +behind mcp-cap$/m);
        expect(stdout).toContain(`became mcp-cap --manifest ${file} -- node file-server.ts ${root}`);
        const [direct, capped] = stdout.split("\n").filter((line) => LARGEST.test(line));
        expect(readLargest(direct).every((bytes) => bytes > 200)).toBe(true);
        expect(capped).toContain("behind mcp-cap: finished.");
        expect(readLargest(capped).every((bytes) => bytes <= 150)).toBe(true);
      }),
    BOUND_MS + 10_000,
  );

  it(
    "D3 D5: are told in numbers, and nothing else, with exit code 0",
    async () => {
      const { code, stdout, stderr } = await runDemo(["--mcp", "--json"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const { limitTokensPerMinute, runs } = JSON.parse(stdout);
      expect(limitTokensPerMinute).toBe(30_000);
      expect(runs.map(({ name, outcome }: Record<string, unknown>) => [name, outcome])).toEqual([
        ["direct", "rate-limited"],
        ["behind mcp-cap", "finished"],
      ]);
    },
    BOUND_MS + 10_000,
  );
});
