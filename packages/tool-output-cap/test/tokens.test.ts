import { countUtf8Bytes } from "@pod/test-harness/laws";
import { describe, expect, it } from "vitest";
import {
  capText,
  capToolResult,
  type Keep,
  type OutputLimit,
  type TokenCounter,
  type Truncation,
} from "../src/index.js";
import { capCallToolResult, capJsonRpcError } from "../src/mcp.js";
import { createOutputCapture } from "../src/stream.js";
import { byBytes, recordCounts } from "./counters.js";

interface Cappable {
  readonly content: string;
  readonly truncation?: Truncation;
}

const byUnits: TokenCounter = { count: (text) => text.length };

describe("the marker in tokens", () => {
  it("C14: estimates what was dropped of a text that is too big to count", () => {
    const { text, truncation } = capText(
      "a".repeat(100_000),
      { maxBytes: 20_000, maxTokens: 5_000 },
      { counter: byBytes },
    );
    expect(text).toMatch(/^a+\n\n\[truncated: ~\d+ tokens dropped, refine your query\]$/);
    const { originalTokens = 0, ...tokens } = truncation?.tokens ?? {};
    expect(Math.abs(originalTokens - 100_000 / 1.8)).toBeLessThan(20);
    expect(tokens).toMatchObject({ maxTokens: 5_000, estimated: true });
  });

  // Mutants seen to fail: the dropped part never counted; a tilde all the same.
  it("C14: tells exactly what was dropped of a small text, where counts are left to count it", () => {
    const { text, truncation } = capText("a".repeat(300), { maxBytes: 400, maxTokens: 100 }, { counter: byUnits });
    expect(text).toBe(`${"a".repeat(47)}\n\n[truncated: 253 tokens dropped, refine your query]`);
    expect(truncation?.tokens).toEqual({
      maxTokens: 100,
      originalTokens: 300,
      keptTokens: 47,
      droppedTokens: 253,
      estimated: false,
    });
  });

  // Mutants seen to fail: one count more, and one less, taken for left; the grid not narrowed to the text, nor to what fits
  // for certain; more than the dropped part counted.
  it.each<[number, Keep]>([
    [150, "head"],
    [300, "head"],
    [300, "tail"],
    [300, "ends"],
  ])(
    "C14 C15: tells exactly as long as the search leaves two of twelve counts, with %i tokens, keep: %s",
    (maxTokens, keep) => {
      const around = keep === "ends" ? "\n\n\n\n" : "\n\n";
      for (let units = maxTokens + 100; units <= 4 * maxTokens; units += 7) {
        const counter = recordCounts({ count: (text) => text.length * 0.9 });
        const { truncation } = capText("a".repeat(units), { maxBytes: 4 * maxTokens, maxTokens, keep }, { counter });
        const { droppedTokens, estimated } = truncation?.tokens ?? {};
        // The steps are a byte here: the search goes from what fits for certain to the whole text.
        const certain = maxTokens - `${around}[truncated: ~${units} tokens dropped, refine your query]`.length;
        expect(estimated).toBe(units + 1 - certain > 512);
        if (estimated === false) expect(droppedTokens).toBe(Math.ceil(Number(truncation?.droppedBytes) * 0.9));
        expect(counter.texts.length).toBeLessThanOrEqual(12);
      }
    },
  );

  // Mutants seen to fail: at most the limit kept, and none at all, taken for a number that cannot be.
  it.each([
    ["as many as the limit are kept", "x".repeat(300), 1, { originalTokens: 300, keptTokens: 100, droppedTokens: 200 }],
    [
      "all are dropped",
      `${"-".repeat(60)}x${"-".repeat(239)}`,
      101,
      { originalTokens: 101, keptTokens: 0, droppedTokens: 101 },
    ],
  ])("C14: tells exactly where %s", (_what, text, weight, tokens) => {
    const counter = { count: (each: string) => weight * (each.split("x").length - 1) };
    const { truncation } = capText(text, { maxBytes: 400, maxTokens: 100 }, { counter });
    expect(truncation?.tokens).toEqual({ maxTokens: 100, ...tokens, estimated: false });
  });

  // Mutants seen to fail: the number of the first cut forgotten, or that of a text as large as the ceiling.
  it.each([100, 75])(
    "C14: keeps what was counted of the whole text through a second cut, to %i tokens",
    (maxTokens) => {
      const counter = { count: (each: string) => each.split("x").length - 1 };
      const content = "x".repeat(150) + "-".repeat(150);
      const first = capToolResult<Cappable>({ content }, { maxBytes: 480, maxTokens: 120 }, { counter });
      const second = capToolResult(first, { maxBytes: 4 * maxTokens, maxTokens }, { counter });
      expect(second.truncation?.tokens).toMatchObject({ originalTokens: 150, estimated: true });
    },
  );

  it("C14: estimates the whole of a text that was cut to bytes before", () => {
    const first = capToolResult<Cappable>({ content: "a".repeat(10_000) }, { maxBytes: 400 });
    const second = capToolResult(first, { maxBytes: 400, maxTokens: 100 }, { counter: byUnits });
    expect(second.truncation?.tokens).toMatchObject({ originalTokens: 10_000, estimated: true });
  });

  // Mutant seen to fail: the result with the exact number not counted again.
  it("C14: keeps the estimate where the exact number would not fit", () => {
    const counter = { count: (text: string) => text.length / 2 + (/: \d/.test(text) ? 1_000 : 0) };
    const { text, truncation } = capText("a".repeat(200), { maxBytes: 400, maxTokens: 60 }, { counter });
    expect(text).toContain("[truncated: ~");
    // The whole was counted: 200 units, half a token each.
    expect(truncation?.tokens).toMatchObject({ originalTokens: 100, estimated: true });
  });

  it.each([
    [60, /^a*\n\n\[truncated: ~?\d+ tokens dropped, refine your query\]$/],
    [40, /^a+\[truncated\]$/],
    [11, /^\[truncated\]$/],
    [10, /^a{10}$/],
    [1, /^a$/],
  ])("C4 C14: is long, short or none by whether it fits in %i bytes", (maxTokens, expected) => {
    const limit = { maxBytes: 4 * maxTokens, maxTokens };
    expect(capText("a".repeat(1_000), limit, { counter: byUnits }).text).toMatch(expected);
  });

  // Mutant seen to fail: no second look at what stays.
  it.each([
    ["blanks, and then letters", `${" ".repeat(600)}${"ab1 ".repeat(25_000)}`],
    ["digits, and then blanks", `${"1".repeat(600)}${" ".repeat(100_000)}`],
    ["letters of three bytes", "語".repeat(40_000)],
  ])("C14: is of the order of the truth where a text is dense here and light there: %s", (_what, text) => {
    // A token for each blank that begins a word, each three digits, each other character.
    const counter = { count: (each: string) => (each.match(/\s+|\d{1,3}|[^\s\d]/g) ?? []).length };
    const { text: kept, truncation } = capText(text, { maxBytes: 20_000, maxTokens: 5_000 }, { counter });
    const { droppedTokens = 0, keptTokens = 0 } = truncation?.tokens ?? {};
    const dropped = counter.count(text.slice(kept.indexOf("\n\n[truncated")));
    expect(keptTokens).toBeLessThanOrEqual(5_000);
    expect(droppedTokens).toBeLessThanOrEqual(4 * Math.max(dropped, 5_000));
    expect(droppedTokens).toBeGreaterThanOrEqual(dropped / 4);
  });

  // Mutant seen to fail: the density before the product.
  it("C14: the record keeps no token more than the limit, for every small limit and a counter that says just that", () => {
    for (let maxTokens = 1; maxTokens <= 12; maxTokens++) {
      for (let maxBytes = 1; maxBytes <= 60; maxBytes++) {
        const counter = { count: () => maxTokens };
        const { truncation } = capText("a".repeat(100), { maxBytes, maxTokens }, { counter });
        expect(truncation?.tokens?.keptTokens).toBeLessThanOrEqual(maxTokens);
      }
    }
  });

  it("C14: stands where `keep` puts it", () => {
    const textOf = (keep: "tail" | "ends") => {
      const limit: OutputLimit = { maxBytes: 2_000, maxTokens: 500, keep };
      return capText(`${"a".repeat(2_000)}${"b".repeat(2_000)}`, limit, { counter: byBytes }).text;
    };
    expect(textOf("tail")).toMatch(/^\[truncated: ~\d+ tokens dropped, refine your query\]\n\nb+$/);
    expect(textOf("ends")).toMatch(/^a+\n\n\[truncated: ~\d+ tokens dropped, refine your query\]\n\nb+$/);
  });
});

describe("a limit in tokens", () => {
  it("C14: keeps no more than the ceiling, though the counter says nothing", () => {
    const silent = { count: () => 0 };
    const limit = { maxBytes: 1_000_000, maxTokens: 100 };
    expect(countUtf8Bytes(capText("a".repeat(10_000), limit, { counter: silent }).text)).toBeLessThanOrEqual(400);
    expect(capText("a".repeat(400), limit, { counter: silent })).toEqual({ text: "a".repeat(400) });
  });

  it.each([undefined, null, {}, { count: 5 }])(
    "C14: with %j for a counter is a RangeError that says what to write",
    (value) => {
      const wrong: unknown = value;
      const options = { counter: wrong as TokenCounter };
      const limit = { maxBytes: 400, maxTokens: 100 };
      const expected =
        /^options\.counter: expected a TokenCounter, since limit\.maxTokens is set, received .*\. Write: \{ counter: createUsageCounter\(\) \}$/;
      expect(() => capText("", limit, options)).toThrow(RangeError);
      expect(() => capText("", limit, options)).toThrow(expected);
      expect(() => capToolResult({}, limit, options)).toThrow(expected);
    },
  );

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 2 ** 31, "5", 5n, null])(
    "C14: of %s tokens is a RangeError that names the place",
    (value) => {
      const wrong: unknown = value;
      const limit = { maxBytes: 400, maxTokens: wrong as number };
      expect(() => capText("", limit, { counter: byUnits })).toThrow(RangeError);
      expect(() => capText("", limit, { counter: byUnits })).toThrow(
        /^limit\.maxTokens: expected an integer from 1 to 2147483647 \(tokens\), received .*\. Write: 5000$/,
      );
    },
  );

  it("C14: of the largest number there is, is one in bytes", () => {
    const limit = { maxBytes: 200, maxTokens: 2 ** 31 - 1 };
    const { text, truncation } = capText("a".repeat(1_000), limit, { counter: byUnits });
    expect(countUtf8Bytes(text)).toBeLessThanOrEqual(200);
    expect(truncation).toMatchObject({ maxBytes: 200, originalBytes: 1_000, tokens: { maxTokens: 2 ** 31 - 1 } });
  });

  // Mutant seen to fail: `maxBytes` alone.
  it("C13 C14 E1 E6: holds a stream, an MCP result and an error to its ceiling, since nobody counts them", () => {
    const limit = { maxBytes: 1_000_000, maxTokens: 100 };
    const text = "a".repeat(10_000);
    const capture = createOutputCapture(limit);
    capture.write(text);
    expect(capture.finish()).toEqual(capText(text, { maxBytes: 400 }));
    const result = { content: [{ type: "text", text }] };
    expect(capCallToolResult(result, limit)).toEqual(capCallToolResult(result, { maxBytes: 400 }));
    expect(capJsonRpcError({ message: text }, limit)).toEqual(capJsonRpcError({ message: text }, { maxBytes: 400 }));
  });

  // Mutant seen to fail: the whole of the text counted.
  it("C15: counts no text of which the bytes say enough: a small one, and one above the ceiling", () => {
    const small = recordCounts(byBytes);
    capText("a".repeat(100), { maxBytes: 400, maxTokens: 100 }, { counter: small });
    expect(small.texts).toEqual([]);
    const large = recordCounts(byBytes);
    capText("é".repeat(100_000), { maxBytes: 4_000, maxTokens: 1_000 }, { counter: large });
    expect(large.texts.every((text) => text.includes("[truncated: "))).toBe(true);
  });
});
