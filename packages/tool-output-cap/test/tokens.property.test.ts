import { type CappableResult, countUtf8Bytes, nastyText } from "@pod/test-harness/laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchTruncation, prependContent } from "../src/chokepoint.js";
import { capText, capToolResult, type Keep, type OutputLimit, type TokenCounter } from "../src/index.js";
import { atRandom, byBytes, byPairs, bySpaces, clampCount, nonsense, recordCounts } from "./counters.js";
import { lawRuns } from "./law-runs.js";

/** A fifth for each counter: there are twelve. */
const runs = { numRuns: Math.ceil(lawRuns.numRuns / 5) };

const COUNTERS: readonly (readonly [string, TokenCounter])[] = [
  ["1.8 bytes a token", byBytes],
  ["spaces and what is not ASCII", bySpaces],
  ["o200k", byPairs],
  ["numbers at random", atRandom],
  ...nonsense,
];

describe.each(COUNTERS)("a counter that says %s", (_, counter) => {
  // Mutants seen to fail: the marker not counted; a part counted without its marker; the count not clamped; no ceiling;
  // null taken for 0.
  it("C14: the result is within the limit as counted, within the ceiling in bytes, well-formed, and no larger than the text", () => {
    fc.assert(
      fc.property(textAndTokens(), ({ text, limit }) => {
        const capped = capText(text, limit, { counter });
        expect(clampCount(counter, capped.text)).toBeLessThanOrEqual(limit.maxTokens);
        expect(countUtf8Bytes(capped.text)).toBeLessThanOrEqual(Math.min(ceilingOf(limit), countUtf8Bytes(text)));
        expect(capped.text.isWellFormed()).toBe(true);
      }),
      runs,
    );
  });

  // Mutant seen to fail: the exact number asked for where no counts are left.
  it("C15: it is asked at most 12 times, never about more than the ceiling, and not about what fits for certain", () => {
    fc.assert(
      fc.property(textAndTokens(), ({ text, limit }) => {
        const recorded = recordCounts(counter);
        capText(text, limit, { counter: recorded });
        expect(recorded.texts.length).toBeLessThanOrEqual(12);
        for (const counted of recorded.texts) {
          expect(countUtf8Bytes(counted)).toBeLessThanOrEqual(ceilingOf(limit));
          expect(counted.isWellFormed()).toBe(true);
        }
        if (countUtf8Bytes(text) <= Math.min(limit.maxBytes, limit.maxTokens)) expect(recorded.texts).toEqual([]);
      }),
      runs,
    );
  });

  it("C5 C14: a capped text that is capped again stays as it is", () => {
    fc.assert(
      fc.property(textAndTokens(), ({ text, limit }) => {
        const once = capText(text, limit, { counter }).text;
        expect(capText(once, limit, { counter })).toEqual({ text: once });
      }),
      runs,
    );
  });

  // Mutants seen to fail: the tilde left out of the expected marker; the limit in bytes taken for the style's; more kept than
  // the limit, by the share of the bytes or by an exact number that does not add up.
  it("C10 C14: the record adds up, and matches what it stands beside", () => {
    fc.assert(
      fc.property(textAndTokens(), ({ text, limit }) => {
        const { text: content, truncation } = capText(text, limit, { counter });
        fc.pre(truncation !== undefined);
        const { originalBytes, keptBytes, droppedBytes, tokens } = truncation;
        expect(originalBytes).toBe(countUtf8Bytes(text));
        expect(keptBytes + droppedBytes).toBe(originalBytes);
        expect(tokens).toMatchObject({ maxTokens: limit.maxTokens });
        expect(Number(tokens?.keptTokens) + Number(tokens?.droppedTokens)).toBe(tokens?.originalTokens);
        expect(tokens?.keptTokens).toBeLessThanOrEqual(limit.maxTokens);
        expect(tokens?.originalTokens).toBeLessThanOrEqual(originalBytes);
        if (originalBytes <= ceilingOf(limit)) {
          expect(tokens?.originalTokens).toBe(Math.max(1, clampCount(counter, text.toWellFormed())));
        }
        expect(matchTruncation(content, truncation)).toEqual(truncation);
      }),
      runs,
    );
  });

  // Mutant seen to fail: what was cut counted again under an equal limit.
  it("C16: what a cut left comes back as it is under an equal or a larger limit, uncounted, whatever the counter says now", () => {
    fc.assert(
      fc.property(textAndTokens(), fc.nat(500), ({ text, limit }, more) => {
        const result: CappableResult = capToolResult<CappableResult>({ content: text }, limit, { counter });
        fc.pre(result.truncation !== undefined);
        const changed = recordCounts({ count: countUtf8Bytes });
        const larger = { ...limit, maxTokens: limit.maxTokens + more, maxBytes: limit.maxBytes + more };
        expect(capToolResult(result, larger, { counter: changed })).toBe(result);
        expect(changed.texts).toEqual([]);
      }),
      runs,
    );
  });

  it("C10 C14: under any other limit, and with a text in front, the result is within it and told truly", () => {
    fc.assert(
      fc.property(textAndTokens(), textAndTokens(), anyRecord(), ({ text, limit }, second, forged) => {
        const first: CappableResult = capToolResult<CappableResult>({ content: text }, limit, { counter });
        for (const result of [first, { ...first, truncation: forged }]) {
          for (const again of [
            capToolResult(result, second.limit, { counter }),
            prependContent(result, second.text, second.limit, { counter }),
          ]) {
            const { content = "", truncation } = again;
            expect(countUtf8Bytes(content)).toBeLessThanOrEqual(ceilingOf(second.limit));
            expect(content.isWellFormed()).toBe(true);
            if (again !== result) expect(matchTruncation(content, truncation)).toEqual(truncation);
            const isKept = again === result && first.truncation !== undefined;
            if (!isKept) expect(clampCount(counter, content)).toBeLessThanOrEqual(second.limit.maxTokens);
          }
        }
      }),
      runs,
    );
  });
});

describe.each([
  ["1.8 bytes a token", byBytes],
  ["spaces and what is not ASCII", bySpaces],
] as const)("a counter that never falls, by %s", (_, counter) => {
  // Mutants seen to fail: a step left out at the end of the search; one at its beginning; steps of the limit in bytes.
  it("C15: no longer part on the grid fits", () => {
    fc.assert(
      fc.property(textAndTokens(), ({ text, limit }) => {
        const { truncation } = capText(text, limit, { counter });
        fc.pre(truncation !== undefined);
        expect(truncation.keptBytes).toBe(findLongestPart(text, limit, counter));
      }),
      runs,
    );
  });
});

// Mutant seen to fail: what a cut left counted first.
it("C5 C16: a second, lower limit cuts a text that is too big to count as it would have alone", () => {
  fc.assert(
    fc.property(
      bigText(),
      fc.integer({ min: 128, max: 400 }),
      fc.integer({ min: 40, max: 400 }),
      fc.constantFrom<Keep>("head", "tail"),
      (text, maxTokens, more, keep) => {
        // By more than a step of the grid.
        const first = { maxBytes: 4 * (maxTokens + more), maxTokens: maxTokens + more, keep };
        const second = { maxBytes: 4 * maxTokens, maxTokens, keep };
        fc.pre(countUtf8Bytes(text) > second.maxBytes);
        const between: CappableResult = capToolResult<CappableResult>({ content: text }, first, { counter: byBytes });
        fc.pre(between.truncation !== undefined);
        expect(capToolResult(between, second, { counter: byBytes })).toEqual(
          capToolResult({ content: text }, second, { counter: byBytes }),
        );
      },
    ),
    lawRuns,
  );
});

interface TokenLimit extends OutputLimit {
  readonly maxTokens: number;
}

function ceilingOf({ maxBytes, maxTokens }: TokenLimit): number {
  return Math.min(maxBytes, 4 * maxTokens);
}

function textAndTokens(): fc.Arbitrary<{ readonly text: string; readonly limit: TokenLimit }> {
  return nastyText().chain((text) => {
    const bytes = countUtf8Bytes(text);
    const near = [12, 58, bytes / 4, bytes / 1.8, bytes].map((center) =>
      fc.integer({ min: Math.max(1, Math.floor(center) - 5), max: Math.floor(center) + 5 }),
    );
    return fc
      .tuple(fc.oneof(...near, fc.integer({ min: 1, max: bytes + 1 })), fc.constantFrom<Keep>("head", "tail", "ends"))
      .chain(([maxTokens, keep]) => {
        const maxBytes = fc.oneof(fc.constant(4 * maxTokens), fc.integer({ min: 1, max: 5 * maxTokens }));
        return maxBytes.map((most) => ({ text, limit: { maxTokens, maxBytes: most, keep } }));
      });
  });
}

function bigText(): fc.Arbitrary<string> {
  return fc.tuple(nastyText(), fc.integer({ min: 200, max: 800 })).map(([text, more]) => text + "a é\n".repeat(more));
}

function anyRecord() {
  const amount = fc.oneof(fc.nat(600), fc.constantFrom(0, -1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER, 2 ** 31 - 1));
  const tokens = fc.record({
    maxTokens: amount,
    originalTokens: amount,
    keptTokens: amount,
    droppedTokens: amount,
    estimated: fc.boolean(),
  });
  const keep = fc.constantFrom<Keep>("head", "tail", "ends");
  return fc.record({ maxBytes: amount, originalBytes: amount, keptBytes: amount, droppedBytes: amount, tokens, keep });
}

/** UTF-8 bytes of the longest part on the grid that fits with its marker, as a child would find it: from the longest on. */
function findLongestPart(text: string, limit: TokenLimit, counter: TokenCounter): number | undefined {
  const characters = [...text.toWellFormed()].map((character) => ({ character, bytes: countUtf8Bytes(character) }));
  const textBytes = characters.reduce((sum, { bytes }) => sum + bytes, 0);
  const certain = Math.min(limit.maxBytes, limit.maxTokens);
  const ceiling = ceilingOf(limit);
  const line = (tokens: number) => `[truncated: ~${tokens} tokens dropped, refine your query]`;
  const around = (keep: Keep | undefined, marker: string) =>
    keep === "tail" ? `${marker}\n\n` : keep === "ends" ? `\n\n${marker}\n\n` : `\n\n${marker}`;
  const known = textBytes <= ceiling ? Math.max(1, clampCount(counter, text.toWellFormed())) : undefined;
  const longest = around(limit.keep, line(textBytes)).length;
  const keep = limit.keep === "ends" && longest >= certain ? "head" : limit.keep;
  const isLong = around(keep, line(textBytes)).length <= certain;

  const take = (list: typeof characters, room: number) => {
    let bytes = 0;
    const count = list.findIndex((each) => {
      bytes += each.bytes;
      return bytes > room;
    });
    return list.slice(0, count === -1 ? list.length : count);
  };
  const parts = new Set(Array.from({ length: 2_049 }, (_, step) => Math.floor(((2_048 - step) * ceiling) / 2_048)));
  for (const part of parts) {
    const startRoom = keep === "tail" ? 0 : keep === "ends" ? Math.floor(part / 2) : part;
    const start = take(characters, startRoom);
    const end = take(characters.toReversed(), part - startRoom).toReversed();
    const keptBytes = [...start, ...end].reduce((sum, { bytes }) => sum + bytes, 0);
    const dropped =
      known === undefined
        ? textBytes - keptBytes
        : Math.max(1, Math.ceil(((textBytes - keptBytes) * known) / textBytes), known - limit.maxTokens);
    const gap = isLong ? around(keep, line(dropped)) : certain >= 11 ? "[truncated]" : "";
    const result = `${start.map(({ character }) => character).join("")}${gap}${end.map(({ character }) => character).join("")}`;
    const bytes = keptBytes + gap.length;
    if (keptBytes >= textBytes || bytes > Math.min(ceiling, textBytes)) continue;
    if (clampCount(counter, result) <= limit.maxTokens) return keptBytes;
  }
  return undefined;
}
