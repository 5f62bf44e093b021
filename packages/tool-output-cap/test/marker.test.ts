import { describe, expect, it } from "vitest";
import { formatMarker } from "../src/index.js";

describe("formatMarker", () => {
  it("C3: is one ASCII line of 46 bytes and the digits", () => {
    expect(formatMarker(108_670)).toBe("[truncated: 108670 bytes dropped, refine your query]");
    for (const droppedBytes of [0, 9, 10, 99, 2_147_483_647, Number.MAX_SAFE_INTEGER]) {
      const marker = formatMarker(droppedBytes);
      expect(marker).toMatch(/^[ -~]+$/);
      expect(Buffer.byteLength(marker)).toBe(46 + String(droppedBytes).length);
    }
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "5", 5n, undefined])(
    "C3: a count of %s is a RangeError that names it",
    (value) => {
      const wrong: unknown = value;
      expect(() => formatMarker(wrong as number)).toThrow(RangeError);
      expect(() => formatMarker(wrong as number)).toThrow(
        /^droppedBytes: expected a safe integer from 0 \(UTF-8 bytes\), received .*\. Write: truncation\.droppedBytes$/,
      );
    },
  );
});
