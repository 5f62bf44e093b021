import { expect, it } from "vitest";
import * as earlierCut from "../src/earlier-cut.js";
import * as surface from "../src/index.js";

// Public API (P4): a name that goes is a breaking change, and a new one should be seen in review.
it("P4: exports these names and no others", () => {
  expect(Object.keys(surface).toSorted()).toEqual([
    "DEFAULT_TOOL_OUTPUT_LIMITS",
    "capText",
    "capToolResult",
    "findUnknownTools",
    "formatMarker",
    "resolveLimit",
  ]);
  expect(Object.keys(earlierCut).toSorted()).toEqual(["matchTruncation", "prependContent"]);
});
