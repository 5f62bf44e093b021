import { fileURLToPath } from "node:url";
import { parseManifest } from "@pod/manifest";
import { describe, expect, it } from "vitest";
import { playScene } from "../src/scene.js";
import { tokensScene } from "../src/scenes/tokens.js";
import { runDemo } from "./run-demo.js";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));

describe("the incident with a limit in tokens", () => {
  // Mutants seen to fail: the worker does not learn; the provider charges by the bytes of the incident.
  it.each([undefined, "[worker.tool_output]\ndefault_max_tokens = 4000\n"])(
    "D6 W20: dies uncapped, and finishes with a manifest %j, each result within its tokens",
    async (toml) => {
      const { toolOutput } = parseManifest(toml ?? "").manifest.worker;
      const named = toml === undefined ? {} : { manifestFile: "pod.toml" };
      const scene = await tokensScene({ root: PROJECT, toolOutput, ...named });
      const played = await playScene(scene);
      const [uncapped, capped] = played.runs;
      expect(uncapped?.outcome).toBe("rate-limited");
      expect(capped?.outcome).toBe("finished");
      expect(capped?.requests.map(({ status }) => status)).not.toContain(429);
      expect(scene.findUnshown(played)).toEqual([]);
      expect(scene.findUnshown({ ...played, runs: [] })).not.toEqual([]);
    },
  );

  it("D3: is shown as numbers too", async () => {
    const { code, stdout, stderr } = await runDemo(["--tokens", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout).runs.map(({ name }: { name: string }) => name)).toEqual(["uncapped", "capped in tokens"]);
  });
});
