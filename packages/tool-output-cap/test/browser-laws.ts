// Bundled for a page by index.browser.test.ts: the laws of the cap where there is no Buffer and no process.
import { CAP_LAWS } from "@pod/test-harness/laws";
import fc from "fast-check";
import { capText, capToolResult, type Keep } from "../src/index.js";

/** The laws that do not hold, each with what broke it. */
export function findBrokenLaws(keep: Keep, numRuns: number): readonly string[] {
  return CAP_LAWS.flatMap((law) => {
    const details = fc.check(law.property({ capText, capToolResult }, keep), { numRuns });
    return details.failed ? [`${law.clause}: ${law.title}: ${fc.defaultReportMessage(details)}`] : [];
  });
}
