import { fileURLToPath } from "node:url";
import { parseManifest } from "@pod/manifest";
import { describe, expect, it } from "vitest";
import { playScene } from "../src/scene.js";
import { parallelScene } from "../src/scenes/parallel.js";
import { runDemo } from "./run-demo.js";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));

describe("eight dense Globs in one batch", () => {
  // Mutants seen to fail: the budget is not handed over; the naive loop has no limit for each result.
  it("D1 W14 W15: kill the loop that caps each, finish with a budget, and without one after a lost attempt", async () => {
    const { toolOutput } = parseManifest("").manifest.worker;
    const scene = await parallelScene(8, { root: PROJECT, toolOutput });
    const played = await playScene(scene);
    const [naive, budgeted, recovering] = played.runs;
    expect(naive?.outcome).toBe("rate-limited");
    // Eight times the default limit: each result is capped.
    expect(naive?.requests.at(-1)?.bytes).toBeGreaterThan(8 * 16_000);
    expect(naive?.requests.at(-1)?.bytes).toBeLessThan(9 * 16_384);
    expect(budgeted?.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const { inputTokens } of budgeted?.requests ?? []) expect(inputTokens).toBeLessThan(30_000);
    expect(recovering?.outcome).toBe("finished");
    expect(recovering?.requests[1]?.status).toBe(429);
    expect(scene.findUnshown(played)).toEqual([]);
    expect(scene.findUnshown({ ...played, runs: [] })).not.toEqual([]);
  });

  it("D3: are shown in a table a run, and as numbers", async () => {
    const { code, stdout, stderr } = await runDemo(["--parallel", "8", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout).runs.map(({ name }: { name: string }) => name)).toEqual([
      "each result capped",
      "with a turn budget",
      "without a budget, recovering",
    ]);
  });
});
