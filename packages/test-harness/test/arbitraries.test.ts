import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capNaively, countUtf8Bytes, nastyText, textAndLimit } from "../src/laws.js";

const sampled = { numRuns: 2_000, seed: 20_261_130 };

describe("nastyText", () => {
  const texts = fc.sample(nastyText(), sampled);

  it("T3: reaches every plane", () => {
    const planes = new Set(texts.flatMap((text) => [...text].map((c) => (c.codePointAt(0) ?? 0) >> 16)));
    expect(planes.size).toBe(17);
  });

  it.each([
    ["lone high surrogates", /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/],
    ["lone low surrogates", /(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/],
    ["ZWJ sequences", /\u200D/],
    ["combining marks", /\u0302/],
    ["a BOM", /\uFEFF/],
    ["NUL", /\0/],
    ["CRLF", /\r\n/],
    ["ANSI colours", /\[31m/],
    ["replacement patterns", /\$&/],
    ["markers", /\[truncated: \d+ bytes dropped, refine your query\]/],
    ["one long line", /^[^\n]{1000}/],
  ])("T3: makes %s", (_, pattern) => {
    expect(texts.filter((text) => pattern.test(text)).length).toBeGreaterThan(5);
  });
});

describe("textAndLimit", () => {
  const samples = fc.sample(textAndLimit(), sampled);

  it("T3: falls near the limit, and on both sides of it", () => {
    const over = samples.map(({ text, maxBytes }) => countUtf8Bytes(text) - maxBytes);
    for (const bytes of [-1, 0, 1, 2, 3, 4]) expect(over.filter((each) => each === bytes).length).toBeGreaterThan(20);
  });

  it("T3: makes every form of the marker, and every number of digits up to four", () => {
    const cuts = samples.map(({ text, maxBytes }) => capNaively(text, maxBytes)).filter(({ truncation }) => truncation);
    const digits = cuts.map(({ text }) => /: (\d+) bytes dropped, refine your query\]$/.exec(text)?.[1]?.length);
    for (const count of [2, 3, 4]) expect(digits.filter((each) => each === count).length).toBeGreaterThan(20);
    const rest = cuts.filter((_, index) => digits[index] === undefined);
    expect(rest.filter(({ text }) => text.endsWith("[truncated]")).length).toBeGreaterThan(50);
    expect(rest.filter(({ text }) => text.length <= 10).length).toBeGreaterThan(50);
  });
});
