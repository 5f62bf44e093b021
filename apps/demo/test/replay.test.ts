import { fileURLToPath } from "node:url";
import { parseManifest } from "@pod/manifest";
import { describe, expect, it } from "vitest";
import { replayIncident } from "../src/replay.js";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));

function replayWith(toml: string) {
  return replayIncident({ root: PROJECT, toolOutput: parseManifest(toml).manifest.worker.toolOutput });
}

describe("the default limits", () => {
  it("D1: the model sees the marker and narrows; the file that it reads is the right one", async () => {
    const { runs } = await replayWith("");
    const [uncapped, capped] = runs;
    // Mutant seen to fail: a model that does not look for the marker goes on to Grep at once.
    expect(capped.requests.map(({ answer }) => answer)).toEqual([
      "Glob *",
      "Glob packages/*/src/**/*.ts",
      "Grep function capToolResult",
      "Read packages/tool-output-cap/src/cap-tool-result.ts",
      "done",
    ]);
    expect(uncapped.requests.map(({ answer }) => answer)).toEqual([
      "Glob *",
      "429, waits 15 s",
      "429, waits 30 s",
      "429, waits 60 s",
      "429, waits 120 s",
      "429, gives up",
    ]);
  });
});

describe("the limits of a manifest", () => {
  it("D3: are those of the capped run, and not of the other", async () => {
    const { runs, warnings } = await replayWith("[worker.tool_output.per_tool]\nGlob = 2000\nread = 500\n");
    const [uncapped, capped] = runs;
    expect(capped.outcome).toBe("finished");
    expect(capped.requests[1]?.bytes).toBeLessThan(5000);
    expect(uncapped.requests[1]?.bytes).toBeGreaterThan(90_000);
    expect(warnings).toEqual([expect.stringContaining('"read"')]);
  });

  it("D4 W15: a limit that is too large for the account costs the worker one request, and it finishes", async () => {
    const { runs } = await replayWith("[worker.tool_output]\ndefault_max_bytes = 2147483647\n");
    const [, capped] = runs;
    expect(capped.outcome).toBe("finished");
    expect(capped.requests.slice(0, 3).map(({ status, answer }) => [status, answer])).toEqual([
      [200, "Glob *"],
      [429, "429, sent again smaller"],
      [200, "Glob packages/*/src/**/*.ts"],
    ]);
  });
});
