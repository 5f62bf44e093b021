import { expect, it } from "vitest";
import * as bpe from "../src/bpe.js";
import * as surface from "../src/index.js";

// Public API (P4): a name that goes is a breaking change, and a new one should be seen in review.
it("P4: exports these values and no others", () => {
  expect(Object.keys(surface).toSorted()).toEqual(["createTokenEstimator", "createUsageCounter"]);
  expect(Object.keys(bpe)).toEqual(["createBpeCounter"]);
});
