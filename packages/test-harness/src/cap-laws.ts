import fc from "fast-check";
import { describe, it } from "vitest";
import { agreesWithOracle, CAP_LAWS, type CapSubject } from "./cap-law.js";
import { corpus } from "./corpus.js";

/**
 * Registers a vitest suite that holds any capping function against C1 to C5, C7 and C8, over made-up texts (10,000 a law
 * where the environment has `CI`, else 1,000) and over the corpus. The second half of C5 needs `capToolResult`.
 */
export function capLaws(subject: CapSubject): void {
  const numRuns = process.env.CI ? 10_000 : 1_000;
  describe("laws of the cap", () => {
    for (const law of CAP_LAWS) {
      if (law.needsCapToolResult && subject.capToolResult === undefined) continue;
      it(`${law.clause}: ${law.title}`, () => {
        fc.assert(law.property(subject), { numRuns });
      });
    }
    for (const { name, text } of corpus()) {
      it(`C2: cuts recorded ${name} as the oracle does`, () => {
        for (const maxBytes of [1, 64, 200, 8_192, 16_000, 65_536]) agreesWithOracle(subject, { text, maxBytes });
      });
    }
    it("C8: a megabyte of digits in a marker is text like any other", () => {
      const text = `kept\n\n[truncated: ${"9".repeat(1_000_000)} bytes dropped, refine your query]`;
      for (const maxBytes of [64, 16_000, text.length - 1, text.length]) agreesWithOracle(subject, { text, maxBytes });
    });
  });
}
