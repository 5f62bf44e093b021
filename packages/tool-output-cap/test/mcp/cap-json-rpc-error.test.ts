import { expect, it } from "vitest";
import { capJsonRpcError } from "../../src/mcp.js";

const limit = { maxBytes: 200 };

it("E6: message and data are capped, each within the limit; code and unknown fields stay", () => {
  const error = { code: -32_000, message: "m".repeat(1_000), data: { trace: "t".repeat(1_000) }, extra: 1 };
  const capped = capJsonRpcError(error, limit);
  expect(capped).toEqual({
    code: -32_000,
    message: `${"m".repeat(149)}\n\n[truncated: 851 bytes dropped, refine your query]`,
    data: { trace: "t".repeat(188) },
    extra: 1,
  });
  expect(capJsonRpcError(capped, limit)).toBe(capped);
});

it("E6: data that is a text gets the marker", () => {
  expect(capJsonRpcError({ code: 1, message: "m", data: "d".repeat(1_000) }, limit).data).toMatch(
    /refine your query\]$/,
  );
});

it("E6: within the limit the same object comes back", () => {
  const error = { code: 1, message: "m", data: [1] };
  expect(capJsonRpcError(error, limit)).toBe(error);
});
