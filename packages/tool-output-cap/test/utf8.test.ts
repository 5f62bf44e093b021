import { corpus, countUtf8Bytes, nastyText, textAndLimit } from "@pod/test-harness/laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteLength } from "#utf8";
import * as portable from "../src/utf8.js";
import * as node from "../src/utf8.node.js";
import { lawRuns } from "./law-runs.js";

// vitest.config.ts runs this package twice: as Node sees it, and as a browser or an edge runtime does.
it("C12: the runtime's own count is the one in use", () => {
  expect(byteLength).toBe(process.env.POD_RUNTIME === "portable" ? portable.byteLength : node.byteLength);
});

describe.each([
  ["portable", portable],
  ["node", node],
])("%s", (_, { byteLength, fitPrefix, fitSuffix }) => {
  // Mutant seen to fail: each chunk taken as read to its end.
  it("C1: counts as the oracle does, lone surrogates as U+FFFD", () => {
    fc.assert(
      fc.property(nastyText(), (text) => {
        expect(byteLength(text)).toBe(countUtf8Bytes(text));
      }),
      lawRuns,
    );
  });

  it("C1: counts recorded texts as the oracle does", () => {
    for (const { text } of corpus()) expect(byteLength(text)).toBe(countUtf8Bytes(text));
  });

  it.each(["a", "é", "語", "😀", "\uD83D", "\uDE00"])("C12: counts %j around the ends of its chunks", (character) => {
    for (const before of [65_533, 65_534, 65_535, 65_536, 131_070, 131_071]) {
      const text = "a".repeat(before) + character.repeat(50_000);
      expect(byteLength(text)).toBe(Buffer.byteLength(text));
    }
  });

  // Mutants seen to fail: a boundary inside a pair; a part that is too long taken for one that fits.
  it("C2: fits the prefix and the suffix that a child would find", () => {
    fc.assert(
      fc.property(textAndLimit(unevenText()), ({ text, maxBytes }) => {
        for (const [fitPart, keep] of [
          [fitPrefix, "head"],
          [fitSuffix, "tail"],
        ] as const) {
          const part = fitPart(measure(text), maxBytes);
          expect(part.bytes).toBe(countUtf8Bytes(part.text));
          expect(part.text.toWellFormed()).toBe(fitNaively(text, maxBytes, keep));
        }
      }),
      lawRuns,
    );
  });

  it.each(["a", "é", "語", "😀", "\uD83D", "\uDE00"])("C2: fits %j around the ends of its chunks", (character) => {
    const whole = measure(`a${character.repeat(140_000)}a`);
    for (const maxBytes of [65_533, 65_534, 65_535, 65_536, 65_537, 131_072, 131_075]) {
      for (const { text, bytes } of [fitPrefix(whole, maxBytes), fitSuffix(whole, maxBytes)]) {
        expect(bytes).toBe(Buffer.byteLength(text));
        expect(maxBytes - bytes).toBeLessThan(Buffer.byteLength(character));
        expect(maxBytes - bytes).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it("C2: what fits comes back whole, and nothing fits in nothing", () => {
    for (const text of ["", "a", "é", "😀", "\uDE00"]) {
      const whole = measure(text);
      expect([fitPrefix(whole, 4), fitSuffix(whole, 4)]).toEqual([whole, whole]);
      expect([fitPrefix(whole, 0), fitSuffix(whole, 0)]).toEqual(Array(2).fill({ text: "", bytes: 0 }));
    }
  });
});

function measure(text: string) {
  return { text, bytes: Buffer.byteLength(text) };
}

/** Texts whose ends are not as dense as their middle, so that a guess by the density of the whole goes wrong. */
function unevenText() {
  const run = fc.tuple(fc.constantFrom("a", "é", "語", "😀", "\uD83D"), fc.nat(1_500));
  const runs = fc.array(run, { maxLength: 4 }).map((each) => each.map(([unit, count]) => unit.repeat(count)).join(""));
  return fc.oneof(nastyText(), runs);
}

/** What the oracle keeps where no marker takes room: the widest text that fits beside none. */
function fitNaively(text: string, maxBytes: number, keep: "head" | "tail"): string {
  const characters = Array.from(text.toWellFormed());
  const fromEnd = keep === "head" ? characters : characters.toReversed();
  let bytes = 0;
  const end = fromEnd.findIndex((character) => {
    bytes += countUtf8Bytes(character);
    return bytes > maxBytes;
  });
  const kept = end === -1 ? fromEnd : fromEnd.slice(0, end);
  return (keep === "head" ? kept : kept.toReversed()).join("");
}
