import { expect, it } from "vitest";
import * as surface from "../../src/stream.js";

it("P4: /stream exports these names and no others", () => {
  expect(Object.keys(surface).toSorted()).toEqual(["captureStream", "createOutputCapture"]);
});
