import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capNaively, countUtf8Bytes, nastyText } from "../src/laws.js";

describe("the oracle", () => {
  it("T2: counts bytes as UTF-8 has them", () => {
    fc.assert(
      fc.property(nastyText(), (text) => {
        expect(countUtf8Bytes(text)).toBe(Buffer.byteLength(text));
      }),
    );
  });

  it.each([
    [125_000, 16_384, 16_330],
    [16_385, 16_384, 16_334],
    [1_000, 200, 149],
    [1_010, 1_000, 950],
    [70_000, 65_536, 65_484],
    [131_072, 32_768, 32_715],
    [20_000, 8_192, 8_139],
  ])("T2: knows the exact values: %i bytes at a limit of %i keep %i", (originalBytes, maxBytes, keptBytes) => {
    const droppedBytes = originalBytes - keptBytes;
    expect(capNaively("a".repeat(originalBytes), maxBytes)).toEqual({
      text: `${"a".repeat(keptBytes)}\n\n[truncated: ${droppedBytes} bytes dropped, refine your query]`,
      truncation: { maxBytes, originalBytes, keptBytes, droppedBytes },
    });
  });

  it("T2: counts what an earlier cut dropped", () => {
    expect(capNaively("a".repeat(149), 128, 851)).toEqual(capNaively("a".repeat(1_000), 128));
  });
});
