import { type CappableResult, capNaively, countUtf8Bytes, nastyText, textAndLimit } from "@pod/test-harness/laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capToolResult, formatMarker } from "../src/index.js";
import { lawRuns } from "./law-runs.js";

describe("any result", () => {
  // Mutant seen to fail: a record is believed without a look at the content.
  it("C10: is within the limit and well-formed, forged records included", () => {
    fc.assert(
      fc.property(textAndLimit(), forgedRecord(), ({ text, maxBytes }, truncation) => {
        const { content = "" } = capToolResult({ content: text, truncation }, { maxBytes });
        expect(countUtf8Bytes(content)).toBeLessThanOrEqual(maxBytes);
        expect(content.isWellFormed()).toBe(true);
      }),
      lawRuns,
    );
  });

  // Mutants seen to fail: `isWellFormed` left out; `<` for `<=`; a copy for a content that fits.
  it("C10: comes back as the same object exactly when its content is well-formed and fits", () => {
    fc.assert(
      fc.property(textAndLimit(), forgedRecord(), ({ text, maxBytes }, truncation) => {
        const result = { content: text, truncation };
        const fits = text.isWellFormed() && countUtf8Bytes(text) <= maxBytes;
        expect(capToolResult(result, { maxBytes }) === result).toBe(fits);
      }),
      lawRuns,
    );
  });

  // Mutant seen to fail: the old record is kept beside the new content.
  it("C10: with a record that does not match is capped as without one", () => {
    fc.assert(
      fc.property(textAndLimit(), forgedRecord(), ({ text, maxBytes }, truncation) => {
        fc.pre(!text.isWellFormed() || countUtf8Bytes(text) > maxBytes);
        fc.pre(!text.endsWith("]"));
        fc.pre(truncation.maxBytes >= 11);
        expect(capToolResult({ content: text, truncation }, { maxBytes })).toEqual(
          capToolResult({ content: text }, { maxBytes }),
        );
      }),
      lawRuns,
    );
  });
});

describe("a result that was cut before", () => {
  // Mutants seen to fail: N counted from the kept part; the old marker counted as content.
  it("C10: is cut again as the oracle cuts what was kept, counting from the original", () => {
    fc.assert(
      fc.property(textAndLimit(), fc.double({ min: 0, max: 1, noNaN: true }), ({ text, maxBytes }, share) => {
        const first: CappableResult = capToolResult<CappableResult>({ content: text }, { maxBytes });
        if (first.truncation === undefined) return;
        const { keptBytes, droppedBytes } = first.truncation;
        const content = first.content ?? "";
        const contentBytes = countUtf8Bytes(content);
        fc.pre(contentBytes > 1);
        const secondLimit = 1 + Math.floor(share * (contentBytes - 1.001));
        const kept = content.slice(0, content.length - (contentBytes - keptBytes));
        const { text: expected, truncation } = capNaively(kept, secondLimit, droppedBytes);
        expect(capToolResult(first, { maxBytes: secondLimit })).toEqual({ content: expected, truncation });
      }),
      lawRuns,
    );
  });

  // Mutant seen to fail: the record is dropped with the lone surrogates.
  it("C10: keeps its record where lone surrogates came in after the cut", () => {
    fc.assert(
      fc.property(nastyText(), fc.integer({ min: 1, max: 9_999 }), (text, droppedBytes) => {
        const suffix = `\n\n${formatMarker(droppedBytes)}`;
        const keptBytes = countUtf8Bytes(text);
        const maxBytes = keptBytes + suffix.length + 4;
        const truncation = { maxBytes, originalBytes: keptBytes + droppedBytes, keptBytes, droppedBytes };
        const capped = capToolResult({ content: text + suffix, truncation }, { maxBytes });
        expect(capped).toEqual({ content: text.toWellFormed() + suffix, truncation });
      }),
      lawRuns,
    );
  });
});

function forgedRecord() {
  const bytes = fc.oneof(fc.nat(600), fc.integer(), fc.constantFrom(0, -1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER));
  return fc.record({ maxBytes: bytes, originalBytes: bytes, keptBytes: bytes, droppedBytes: bytes });
}
