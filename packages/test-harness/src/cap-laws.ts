import fc from "fast-check";
import { describe, it } from "vitest";
import { CAP_AGAIN_LAW } from "./cap-again-law.js";
import { agreesWithOracle, type CapLaw, type CapSubject } from "./cap-law.js";
import { CAP_TEXT_LAWS } from "./cap-text-laws.js";
import { corpus } from "./corpus.js";

/** The laws one by one, so that a test can show that each of them refuses something. */
export const CAP_LAWS: readonly CapLaw[] = [...CAP_TEXT_LAWS, CAP_AGAIN_LAW];

/**
 * Registers a vitest suite that holds any capping function against C1 to C5, C7 and C8, for each thing that it can keep, over
 * made-up texts and over the corpus. A law has `POD_LAW_RUNS` texts where the environment says so, else 10,000 where it has
 * `CI`, else 1,000. The second half of C5 needs `capToolResult`.
 */
export function capLaws(subject: CapSubject): void {
  const numRuns = Number(process.env.POD_LAW_RUNS ?? (process.env.CI ? 10_000 : 1_000));
  describe.each(subject.keeps ?? (["head", "tail", "ends"] as const))("laws of the cap, keep: %s", (keep) => {
    for (const law of CAP_LAWS) {
      if (law.needsCapToolResult && subject.capToolResult === undefined) continue;
      it(`${law.clause}: ${law.title}`, () => {
        fc.assert(law.property(subject, keep), { numRuns });
      });
    }
    for (const { name, text } of corpus()) {
      it(`C2: cuts recorded ${name} as the oracle does`, () => {
        for (const maxBytes of [1, 64, 200, 8_192, 16_000, 65_536]) agreesWithOracle(subject, { text, maxBytes }, keep);
      });
    }
    it("C8: a megabyte of digits in a marker is text like any other", () => {
      const text = `kept\n\n[truncated: ${"9".repeat(1_000_000)} bytes dropped, refine your query]`;
      for (const maxBytes of [64, 16_000, text.length - 1, text.length]) {
        agreesWithOracle(subject, { text, maxBytes }, keep);
      }
    });
  });
}
