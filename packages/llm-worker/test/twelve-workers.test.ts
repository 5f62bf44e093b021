import {
  answer,
  createSharedClock,
  type Script,
  text,
  toolResultTexts,
  toolUse,
  withProvider,
} from "@pod/test-harness";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createWorker } from "../src/index.js";
import { globOf } from "./support/large-batches.js";
import { realClient } from "./support/with-worker.js";

afterEach(() => vi.restoreAllMocks());

const WORKERS = 12;
/** Two requests of each, of about 2,000 tokens: 50,000 tokens, on 30,000 a minute. */
const PROMPT = "Look for it in the sources, and tell where it is. ".repeat(72);
const SEEDS = Array.from({ length: process.env.CI ? 12 : 3 }, (_, index) => index + 1);

const globThenDone: Script = (body) =>
  toolResultTexts(body).length === 0 ? answer(toolUse("Glob", {})) : answer(text("Done."));

describe("twelve workers on one account", () => {
  // Mutant seen to fail: no spread after retry-after.
  it.each(SEEDS)("W11: all finish, with at most three requests for each success (seed %i)", (seed) => {
    vi.spyOn(Math, "random").mockImplementation(seeded(seed));
    const clock = createSharedClock();
    return withProvider({ script: globThenDone, inputTokensPerMinute: 30_000, clock }, async (provider) => {
      const outcomes = await Promise.all(
        Array.from({ length: WORKERS }, () =>
          clock.run(() =>
            createWorker({
              client: realClient(provider),
              tools: [globOf(125_000)],
              toolOutput: { defaultMaxBytes: 400, perTool: {} },
              sleep: clock.sleep,
            }).run(PROMPT),
          ),
        ),
      );
      expect(outcomes).toEqual(outcomes.map(() => ({ type: "finished", text: "Done." })));
      const passed = provider.requests.filter(({ status }) => status === 200);
      expect(passed).toHaveLength(2 * WORKERS);
      expect(provider.requests.length).toBeLessThanOrEqual(3 * passed.length);
      for (const { inputTokens } of passed) {
        expect(inputTokens).toBeGreaterThan(1_900);
        expect(inputTokens).toBeLessThan(2_500);
      }
    });
  });
});

/** Numbers from 0 to below 1 that look like chance: the same ones for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
