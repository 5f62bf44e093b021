import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capTexts } from "../src/cap-texts.js";
import { numRuns } from "./support/num-runs.js";

const keep = fc.constantFrom("head" as const, "tail" as const, "ends" as const);
const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 400 }), { maxLength: 8 });

describe("capTexts", () => {
  // Mutants seen to fail: the cut text put first of the dropped ones with `tail`; the room for the marker left out.
  it("X2: brings texts within one limit, whole ones at the end that is kept, and one marker for all that goes", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 128, max: 2_000 }), keep, (texts, maxBytes, keep) => {
        const bytes = Buffer.byteLength(texts.join(""));
        const capped = capTexts(texts, { maxBytes, keep });
        expect(capped === undefined).toBe(bytes <= maxBytes);
        if (capped === undefined) return;
        const stays = capped.texts.filter((text) => text !== undefined).join("");
        expect(Buffer.byteLength(stays)).toBeLessThanOrEqual(maxBytes);
        const { originalBytes, keptBytes, droppedBytes } = capped.truncation;
        expect([originalBytes, keptBytes + droppedBytes]).toEqual([bytes, bytes]);
        const gaps = stays.split(`[truncated: ${droppedBytes} bytes dropped, refine your query]`);
        expect(gaps.length).toBe(2);
        const [before = "", behind = ""] = gaps.map((text) => text.trim());
        expect(texts.join("").trim().startsWith(before)).toBe(true);
        expect(texts.join("").trim().endsWith(behind)).toBe(true);
        if (keep === "head") expect(behind).toBe("");
        if (keep === "tail") expect(before).toBe("");
      }),
      { numRuns: numRuns(5_000) },
    );
  });

  it("X2: keeps the last whole ones with tail, and some of both with ends", () => {
    const texts = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(100));
    const placesOf = (keep: "head" | "tail" | "ends") => {
      const capped = capTexts(texts, { maxBytes: 528, keep })?.texts ?? [];
      const [whole, cut] = [true, false].map((isWhole) =>
        capped.flatMap((text, index) => (text !== undefined && (text === texts[index]) === isWhole ? [index] : [])),
      );
      return { whole, cut };
    };
    expect(placesOf("head")).toEqual({ whole: [0, 1, 2, 3], cut: [4] });
    expect(placesOf("tail")).toEqual({ whole: [6, 7, 8, 9], cut: [5] });
    expect(placesOf("ends")).toEqual({ whole: [0, 1, 8, 9], cut: [2] });
  });
});
