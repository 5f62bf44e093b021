import { expect, it } from "vitest";
import * as chokepoint from "../src/chokepoint.js";
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
  expect(Object.keys(chokepoint).toSorted()).toEqual(["ceilingOf", "countTokens", "matchTruncation", "prependContent"]);
});
