import { expect, it } from "vitest";
import * as surface from "../../src/mcp.js";

it("P4: /mcp exports these names and no others", () => {
  expect(Object.keys(surface).toSorted()).toEqual(["JsonNumber", "capCallToolResult", "capJsonRpcError"]);
});
