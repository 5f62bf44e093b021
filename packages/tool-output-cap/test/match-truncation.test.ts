import { describe, expect, it } from "vitest";
import { matchTruncation } from "../src/chokepoint.js";
import { capText, capToolResult, formatMarker, type Truncation } from "../src/index.js";

const removed = { maxBytes: 0, originalBytes: 900, keptBytes: 0, droppedBytes: 900, reason: "turn-budget" } as const;

describe("a content that was removed", () => {
  it("C10: is matched by the record of the turn budget that removed it, as a copy", () => {
    const match = matchTruncation(undefined, removed);
    expect(match).toEqual(removed);
    expect(match).not.toBe(removed);
  });

  it("C10: is matched without a reason, and without one that is unknown", () => {
    const { reason, ...bare } = removed;
    expect(matchTruncation(undefined, bare)).toEqual(bare);
    expect(matchTruncation(undefined, { ...bare, reason: "space" })).toEqual(bare);
  });

  it.each([
    ["with a limit", { ...removed, maxBytes: 1 }],
    ["with something kept", { ...removed, keptBytes: 1, originalBytes: 901 }],
    ["with nothing dropped", { ...removed, droppedBytes: 0, originalBytes: 0 }],
    ["that is none", undefined],
  ])("C10: is not matched by a record %s", (_, record) => {
    expect(matchTruncation(undefined, record)).toBeUndefined();
  });

  it.each(["", "a", formatMarker(900)])("C10: is not one that is there: %j", (content) => {
    expect(matchTruncation(content, removed)).toBeUndefined();
  });

  it("C10: is left alone by the cap, with its record", () => {
    const result = { truncation: removed };
    expect(capToolResult(result, { maxBytes: 128 })).toBe(result);
  });
});

describe("the fields that may be there", () => {
  const truncation: Truncation = { maxBytes: 200, originalBytes: 1_000, keptBytes: 149, droppedBytes: 851 };
  const content = `${"a".repeat(149)}\n\n${formatMarker(851)}`;

  it("C10: the reason comes back, and an unknown one does not", () => {
    const byBudget = { ...truncation, reason: "turn-budget" };
    expect(matchTruncation(content, byBudget)).toEqual(byBudget);
    expect(matchTruncation(content, { ...truncation, reason: "space" })).toEqual(truncation);
  });

  it("C10: a keep of head is an absent one, and an unknown keep matches nothing", () => {
    expect(matchTruncation(content, { ...truncation, keep: "head" })).toEqual(truncation);
    for (const keep of ["tail", "ends", "middle", null]) {
      expect(matchTruncation(content, { ...truncation, keep })).toBeUndefined();
    }
  });

  it("C10: the reason stays with a record that stays, and goes with a new cut", () => {
    const byBudget = { ...truncation, reason: "turn-budget" as const };
    const illFormed = { content: `\uD800${content.slice(3)}`, truncation: byBudget };
    expect(capToolResult(illFormed, { maxBytes: 200 })).toEqual({
      content: `\uFFFD${content.slice(3)}`,
      truncation: byBudget,
    });
    expect(capToolResult({ content, truncation: byBudget }, { maxBytes: 199 })).toEqual(
      capToolResult({ content, truncation }, { maxBytes: 199 }),
    );
  });
});

/** A content and a record that fit each other, whatever the figures are. */
function forge(figures: object, tokens?: object) {
  const bytes = { maxBytes: 400, originalBytes: 1_000, keptBytes: 149, droppedBytes: 851, ...figures };
  const counted = { maxTokens: 400, originalTokens: 300, keptTokens: 100, droppedTokens: 200, estimated: false };
  const all = { ...counted, ...tokens };
  const dropped = tokens ? `${all.estimated ? "~" : ""}${all.droppedTokens} tokens` : `${bytes.droppedBytes} bytes`;
  const content = `${"a".repeat(149)}\n\n[truncated: ${dropped} dropped, refine your query]`;
  return [content, tokens ? { ...bytes, tokens: all } : bytes] as const;
}

// Mutants seen to fail: each check of a figure left out, and each that the figures add up.
describe("figures that no cut has", () => {
  it("C10 C14: are none of these", () => {
    for (const [content, record] of [forge({}), forge({}, {})])
      expect(matchTruncation(content, record)).toEqual(record);
  });

  it.each([
    ["a fraction dropped", { droppedBytes: 850.5, originalBytes: 999.5 }],
    ["a fraction kept", { keptBytes: 149.5, originalBytes: 1_000.5 }],
    ["kept bytes in words", { keptBytes: "149", originalBytes: "149851" }],
    ["less than nothing dropped", { droppedBytes: -1, originalBytes: 148 }],
    ["nothing dropped", { droppedBytes: 0, originalBytes: 149 }],
    ["a sum that is another", { originalBytes: 1_001 }],
    ["an original beyond all integers", { droppedBytes: 2 ** 53 - 1, originalBytes: 148 + 2 ** 53 }],
    ["a limit of a fraction", { maxBytes: 400.5 }],
    ["a limit of nothing", { maxBytes: 0 }],
    ["no limit", { maxBytes: undefined }],
  ])("C10: %s", (_what, figures) => {
    const [content, record] = forge(figures);
    expect(matchTruncation(content, record)).toBeUndefined();
  });

  it.each([
    ["a fraction dropped", { droppedTokens: 199.5, originalTokens: 299.5 }],
    ["a fraction kept", { keptTokens: 100.5, originalTokens: 300.5 }],
    ["kept tokens in words", { keptTokens: "100", originalTokens: "100200" }],
    ["less than nothing dropped", { droppedTokens: -1, originalTokens: 99 }],
    ["nothing dropped", { droppedTokens: 0, originalTokens: 100 }],
    ["a sum that is another", { originalTokens: 301 }],
    ["an original beyond all integers", { droppedTokens: 2 ** 53 - 1, originalTokens: 99 + 2 ** 53 }],
    ["more of them than bytes", { droppedTokens: 901, originalTokens: 1_001 }],
    ["a limit of a fraction", { maxTokens: 400.5 }],
    ["a limit of nothing", { maxTokens: 0 }],
    ["no word of an estimate", { estimated: undefined }],
    ["a number for it", { estimated: 0 }],
  ])("C10 C14: of tokens: %s", (_what, tokens) => {
    const [content, record] = forge({}, tokens);
    expect(matchTruncation(content, record)).toBeUndefined();
  });

  // Mutant seen to fail: more tokens than bytes believed.
  it("C10 C14: a number of tokens with more digits than the bytes have takes no room that is not there", () => {
    for (const droppedTokens of [1_000_000, Number.MAX_SAFE_INTEGER - 6]) {
      const content = `${"x".repeat(40)}\n\n[truncated: ${droppedTokens} tokens dropped, refine your query]`;
      const tokens = {
        maxTokens: 300,
        originalTokens: droppedTokens + 6,
        keptTokens: 6,
        droppedTokens,
        estimated: false,
      };
      const truncation = { maxBytes: 1_200, originalBytes: 60, keptBytes: 40, droppedBytes: 20, tokens };
      for (let maxBytes = 50; maxBytes < 80; maxBytes++) {
        const limit = { maxBytes, maxTokens: maxBytes - 1 };
        const capped = capToolResult({ content, truncation }, limit, { counter: { count: (text) => text.length / 4 } });
        expect(Buffer.byteLength(capped.content)).toBeLessThanOrEqual(maxBytes);
      }
    }
  });

  it.each([null, 5, "x", []])("C10 C14: %j for tokens", (tokens) => {
    for (const [content, record] of [forge({}), forge({}, {})]) {
      expect(matchTruncation(content, { ...record, tokens })).toBeUndefined();
    }
  });
});

describe("a marker between two ends", () => {
  const { text: content, truncation } = capText("😀".repeat(300), { maxBytes: 200, keep: "ends" });
  const gap = `\n\n${formatMarker(truncation?.droppedBytes ?? 0)}\n\n`;

  it("C10: matches up to three bytes before the half of the room, where a wide character did not fit", () => {
    expect(content).toBe(`${"😀".repeat(18)}${gap}${"😀".repeat(18)}`);
    expect(matchTruncation(content, truncation)).toEqual(truncation);
  });

  it.each([0, 17, 19])("C10: matches nowhere else: after %i characters", (start) => {
    const moved = "😀".repeat(start) + gap + "😀".repeat(36 - start);
    expect(matchTruncation(moved, truncation)).toBeUndefined();
  });
});

// Mutant seen to fail: the first place taken where the marker could stand.
it("C8 C10: a marker of the text's own, before the one in tokens between two ends, is text", () => {
  const counter = { count: (text: string) => text.length / 2 };
  const limit = { maxBytes: 20_000, maxTokens: 5_000, keep: "ends" } as const;
  const textWith = (tokens: number) =>
    `start\n\n[truncated: ~${tokens} tokens dropped, refine your query]\n\n${"a line of text\n".repeat(6_000)}`;
  const { tokens } = capText(textWith(11_111), limit, { counter }).truncation ?? {};
  const text = textWith(tokens?.droppedTokens ?? 0);
  const result = capToolResult<{ content: string; truncation?: Truncation }>({ content: text }, limit, { counter });
  const { content } = capToolResult(result, { ...limit, maxTokens: 1_000 }, { counter });
  expect(content.startsWith(text.slice(0, 500))).toBe(true);
});

// Mutant seen to fail: any size up to the limit in bytes.
it("C10 C14: a record of more bytes than its tokens allow, four for each, matches nothing", () => {
  const gap = "\n\n[truncated: ~1 tokens dropped, refine your query]";
  const bytes = { maxBytes: 20_000, originalBytes: 401, keptBytes: 400, droppedBytes: 1 };
  const truncation = {
    ...bytes,
    tokens: { maxTokens: 100, originalTokens: 10, keptTokens: 9, droppedTokens: 1, estimated: true },
  };
  expect(matchTruncation("x".repeat(400) + gap, truncation)).toBeUndefined();
  const fitting = { ...truncation, originalBytes: 401 - gap.length, keptBytes: 400 - gap.length };
  expect(matchTruncation("x".repeat(400 - gap.length) + gap, fitting)).toEqual(fitting);
});
