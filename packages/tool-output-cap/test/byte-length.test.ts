import { corpus, countUtf8Bytes, nastyText } from "@pod/test-harness/laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteLength } from "#byte-length";
import { byteLength as portableByteLength } from "../src/byte-length.js";
import { byteLength as nodeByteLength } from "../src/byte-length.node.js";

// vitest.config.ts runs this package twice: as Node sees it, and as a browser or an edge runtime does.
it("C12: the runtime's own count is the one in use", () => {
  expect(byteLength).toBe(process.env.POD_RUNTIME === "portable" ? portableByteLength : nodeByteLength);
});

describe.each([
  ["portable", portableByteLength],
  ["node", nodeByteLength],
])("byteLength, %s", (_, count) => {
  // Mutant seen to fail: each chunk taken as read to its end.
  it("C1: counts as the oracle does, lone surrogates as U+FFFD", () => {
    fc.assert(
      fc.property(nastyText(), (text) => {
        expect(count(text)).toBe(countUtf8Bytes(text));
      }),
      { numRuns: process.env.CI ? 10_000 : 1_000 },
    );
  });

  it("C1: counts recorded texts as the oracle does", () => {
    for (const { text } of corpus()) expect(count(text)).toBe(countUtf8Bytes(text));
  });

  it.each(["a", "é", "語", "😀", "\uD83D", "\uDE00"])("C12: counts %j around the ends of its chunks", (character) => {
    for (const before of [65_533, 65_534, 65_535, 65_536, 131_070, 131_071]) {
      const text = "a".repeat(before) + character.repeat(50_000);
      expect(count(text)).toBe(Buffer.byteLength(text));
    }
  });
});
