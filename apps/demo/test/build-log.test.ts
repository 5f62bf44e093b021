import { parseManifest } from "@pod/manifest";
import { expect, it } from "vitest";
import { playScene } from "../src/scene.js";
import { buildLogScene } from "../src/scenes/build-log.js";

// Mutant seen to fail: the tool captures the head in both runs.
it("D1 W6: the error at the end of 200 MB is in the first result where the tail is kept, and not where the head is", async () => {
  const { toolOutput } = parseManifest("").manifest.worker;
  const scene = await buildLogScene({ root: ".", toolOutput });
  const played = await playScene(scene);
  const [tail, head] = played.runs;
  expect(tail?.detail).toBe("The build fails: error: src/pay.ts:41:7: Property 'total' does not exist on type 'Cart'.");
  expect(head?.detail).toBe("The log that I see holds no error.");
  for (const { requests } of played.runs) {
    expect(requests.map(({ status }) => status)).toEqual([200, 200]);
    expect(requests[1]?.bytes).toBeLessThan(20_000);
  }
  expect(scene.findUnshown(played)).toEqual([]);
  expect(scene.findUnshown({ limitTokensPerMinute: null, runs: [] })).not.toEqual([]);
});
