import { type CappableResult, capNaively, countUtf8Bytes, nastyText, textAndLimit } from "@pod/test-harness/laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchTruncation, prependContent } from "../src/chokepoint.js";
import { capText, capToolResult } from "../src/index.js";
import { lawRuns } from "./law-runs.js";

const KEEPS = ["head", "tail", "ends"] as const;

describe.each(KEEPS)("keep: %s", (keep) => {
  // Mutants seen to fail: the suffix split inside a pair; the odd byte of the room given to the start.
  it("C2: a text is cut as the oracle cuts it", () => {
    fc.assert(
      fc.property(textAndLimit(), ({ text, maxBytes }) => {
        expect(capText(text, { maxBytes, keep })).toEqual(capNaively(text, { maxBytes, keep }));
      }),
      lawRuns,
    );
  });

  // Mutant seen to fail: what stands for the dropped bytes looked for at the half of the room only.
  it("C10: what was cut is matched by its record", () => {
    fc.assert(
      fc.property(textAndLimit(), ({ text, maxBytes }) => {
        const { text: content, truncation } = capText(text, { maxBytes, keep });
        expect(matchTruncation(content, truncation)).toEqual(truncation);
      }),
      lawRuns,
    );
  });

  // Mutant seen to fail: the limit's keep taken for the record's.
  it.each(KEEPS)("C5: a second, lower limit that says %s cuts as the record's does", (other) => {
    fc.assert(
      fc.property(textAndLimit(bigText()), fc.integer({ min: 1, max: 300 }), ({ text, maxBytes }, gap) => {
        const second = Math.max(maxBytes, 128);
        const between: CappableResult = capToolResult<CappableResult>(
          { content: text },
          { maxBytes: Math.min(second + gap, 2_147_483_647), keep },
        );
        fc.pre(between.truncation !== undefined && countUtf8Bytes(between.content ?? "") > second);
        expect(capToolResult(between, { maxBytes: second, keep: other })).toEqual(
          capToolResult({ content: text }, { maxBytes: second, keep }),
        );
      }),
      lawRuns,
    );
  });

  // Mutants seen to fail: the text's bytes not counted; the text put in front of the old marker.
  it("C5: a text that is put in front was there before the cut", () => {
    fc.assert(
      fc.property(textAndLimit(bigText()), nastyText(), ({ text, maxBytes }, nasty) => {
        const limit = { maxBytes: Math.max(maxBytes, 128), keep };
        const before = nasty.toWellFormed();
        const capped: CappableResult = capToolResult<CappableResult>({ content: text }, limit);
        expect(prependContent(capped, before, limit)).toEqual(
          capToolResult({ content: before + text.toWellFormed() }, limit),
        );
      }),
      lawRuns,
    );
  });

  it("C10: a text that is put in front never makes a result exceed the limit, forged records included", () => {
    fc.assert(
      fc.property(textAndLimit(), nastyText(), forgedRecord(), ({ text, maxBytes }, before, truncation) => {
        const { content = "" } = prependContent({ content: text, truncation }, before, { maxBytes, keep });
        expect(countUtf8Bytes(content)).toBeLessThanOrEqual(maxBytes);
        expect(content.isWellFormed()).toBe(true);
      }),
      lawRuns,
    );
  });

  it("C10: a cut that is moved to another limit is within it, and told truly", () => {
    fc.assert(
      fc.property(textAndLimit(), textAndLimit(), ({ text, maxBytes }, { text: before, maxBytes: other }) => {
        const capped: CappableResult = capToolResult<CappableResult>({ content: text }, { maxBytes, keep });
        for (const result of [
          capToolResult(capped, { maxBytes: other }),
          prependContent(capped, before, { maxBytes: other }),
        ]) {
          const { content = "", truncation } = result;
          expect(countUtf8Bytes(content)).toBeLessThanOrEqual(Math.max(other, result === capped ? maxBytes : 0));
          expect(matchTruncation(content, truncation)).toEqual(truncation);
        }
      }),
      lawRuns,
    );
  });
});

function bigText() {
  return fc.tuple(nastyText(), fc.nat(200)).map(([text, more]) => text + "é".repeat(65 + more));
}

function forgedRecord() {
  const bytes = fc.oneof(fc.nat(600), fc.integer(), fc.constantFrom(0, -1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER));
  const keep = fc.constantFrom("head", "tail", "ends");
  return fc.record({ maxBytes: bytes, originalBytes: bytes, keptBytes: bytes, droppedBytes: bytes, keep });
}
