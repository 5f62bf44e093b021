import { nastyPiece, nastyText } from "@pod/test-harness/laws";
import fc from "fast-check";
import cl100k from "gpt-tokenizer/encoding/cl100k_base";
import o200k from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { countInPieces } from "../src/bpe/count-in-pieces.js";
import { findCuts } from "../src/bpe/find-cuts.js";
import { type BpeEncoding, createBpeCounter } from "../src/bpe.js";

const runs = { numRuns: process.env.CI ? 2_000 : 200 };
const plain = { disallowedSpecial: new Set<string>() };
const encodings = { o200k_base: o200k, cl100k_base: cl100k };
const names: readonly BpeEncoding[] = ["o200k_base", "cl100k_base"];

/** Characters of which runs are made, as many kinds as one word can have. */
const runUnits = fc.constantFrom(
  ["a", "b", "e", "in", "the", "ing", "tion", "X", "QZ"],
  ["!", "-", "--", "=", "/", "\n", "*/", ")", ";"],
  [" ", "  ", "\t", "\n", "\r\n", "\u3000"],
  ["関", "数", "が", "ー", "の", "結果"],
  ["न", "म", "स", "्", "ते", "\u0301"],
  ["!", "\u0301", "_", "\u0308", "\u{1f3fd}"],
  ["😀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽"],
  ["\u{10400}", "\u{1d400}", "a"],
);
/** A run of some kilobytes: made at random, or of a few units again and again. */
const longRun = runUnits.chain((units) =>
  fc
    .record({
      pattern: fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 400 }),
      bytes: fc.integer({ min: 1_000, max: 4_500 }),
    })
    .map(({ pattern, bytes }) => {
      const piece = pattern.join("");
      return piece.repeat(Math.ceil(bytes / Buffer.byteLength(piece)));
    }),
);
const textWithRuns = fc
  .array(fc.oneof(longRun, nastyText(), fc.constantFrom(" ", "\n", ". ", "word ", "12")), { maxLength: 3 })
  .map((parts) => parts.join("").toWellFormed());
/** No run of more than a kilobyte: a number ends every run. */
const textWithoutRuns = fc
  .array(
    fc.oneof(nastyPiece(), fc.lorem({ maxCount: 30 }), fc.json({ maxDepth: 3 })).filter((part) => part.length <= 300),
    { maxLength: 80, size: "max" },
  )
  .map((parts) => parts.join("1").toWellFormed());

describe.each(names)("against %s itself", (encoding) => {
  const { count } = createBpeCounter(encoding);
  const { countTokens } = encodings[encoding];

  // Mutant seen to fail: every text cut after 1,024 code units.
  it("K4: the same count for a text without a run of more than 1 KB", () => {
    fc.assert(
      fc.property(textWithoutRuns, (text) => {
        expect(count(text)).toBe(countTokens(text, plain));
      }),
      runs,
    );
  });

  // Mutant seen to fail: nothing added for what is lost at a cut.
  it("K4: at least as many tokens for any text, at most one a byte, and little more for its runs", () => {
    fc.assert(
      fc.property(textWithRuns, (text) => {
        const truth = countTokens(text, plain);
        const tokens = count(text);
        expect(Number.isSafeInteger(tokens)).toBe(true);
        expect(tokens).toBeGreaterThanOrEqual(truth);
        expect(tokens).toBeLessThanOrEqual(truth + findCuts(text).length * 8);
      }),
      runs,
    );
  });

  it("K4: never throws, and counts an ill-formed text as the well-formed one", () => {
    fc.assert(
      fc.property(nastyText(), (text) => {
        const tokens = count(text);
        expect(tokens).toBe(count(text.toWellFormed()));
        expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text));
        expect(tokens > 0).toBe(text !== "");
      }),
      runs,
    );
  });
});

describe("the pieces", () => {
  // Mutant seen to fail: cuts by code units.
  it("K5: hold no run that could be a word of more than 1 KB, are cut between code points, and are the whole text", () => {
    fc.assert(
      fc.property(textWithRuns, (text) => {
        const cuts = findCuts(text);
        const pieces = [0, ...cuts].map((from, index) => text.slice(from, cuts[index]));
        expect(pieces.join("")).toBe(text);
        for (const piece of pieces) {
          expect(piece.isWellFormed()).toBe(true);
          for (const word of wordsOf(piece)) expect(Buffer.byteLength(word)).toBeLessThanOrEqual(1_024 + 16);
        }
      }),
      runs,
    );
  });

  // Mutant seen to fail: a seam as long as a piece.
  it("K5: give the tokenizer no more than the text and 128 code units for each kilobyte of its runs: linear work", () => {
    fc.assert(
      fc.property(textWithRuns, (text) => {
        let units = 0;
        countInPieces(text, (piece) => {
          units += piece.length;
          return 0;
        });
        const seamUnits = findCuts(text).length * 4 * 32;
        expect(units).toBeLessThanOrEqual(text.length + seamUnits);
        expect(seamUnits).toBeLessThanOrEqual(Buffer.byteLength(text) / 7 + 1_024);
      }),
      runs,
    );
  });
});

/** What the patterns of the two encodings take for one word, by the longer of both. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}]+| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s+/gu) ?? [];
}
