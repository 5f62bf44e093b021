import { expect, it } from "vitest";
import * as manifest from "../src/index.js";

it("P4: exports these names and no others", () => {
  expect(Object.keys(manifest).sort()).toEqual(["ManifestError", "loadManifest", "parseManifest"]);
});
