import { nastyText } from "@pod/test-harness/laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createUsageCounter, type UsageCounter, type UsageDifference } from "../src/index.js";

const runs = { numRuns: process.env.CI ? 10_000 : 1_000 };

const toolName = fc.constantFrom("Read", "Glob", "__proto__", "constructor", "");
const byteCount = fc.oneof(fc.integer({ min: 400, max: 60_000 }), fc.nat(600), fc.nat(1e12));
const anyDifference: fc.Arbitrary<UsageDifference> = fc.record({
  textBytes: fc.oneof({ weight: 5, arbitrary: byteCount }, { weight: 1, arbitrary: byteCount.map((bytes) => -bytes) }),
  opaqueBytes: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: byteCount }),
  inputTokens: fc.oneof(
    { weight: 5, arbitrary: fc.nat(40_000) },
    { weight: 1, arbitrary: fc.oneof(fc.double(), fc.constantFrom(-1, 1e300, Number.NaN)) },
  ),
  toolBytes: fc.array(fc.tuple(toolName, byteCount), { maxLength: 2 }).map((entries) => new Map(entries)),
});
/** Differences of one tool, so that something is learned. */
const toolDifference = fc.record({ name: toolName, bytes: byteCount, tokens: fc.nat(40_000) }).map(
  ({ name, bytes, tokens }): UsageDifference => ({
    textBytes: bytes,
    opaqueBytes: 0,
    inputTokens: tokens,
    toolBytes: new Map([[name, bytes]]),
  }),
);
const anyDifferences = fc.array(fc.oneof(anyDifference, toolDifference), { maxLength: 30 });

function told(differences: readonly UsageDifference[]): UsageCounter {
  const counter = createUsageCounter();
  for (const difference of differences) counter.learn(difference);
  return counter;
}

const countersOf = (counter: UsageCounter, name: string) => [counter, counter.forTool(name)];

describe("whatever it has learned", () => {
  // Mutants seen to fail: no bounds of the density; rounded down.
  it("K1: counts an integer from a quarter of the bytes to 1.05 a byte, and 0 for nothing only", () => {
    fc.assert(
      fc.property(anyDifferences, toolName, nastyText(), (differences, name, text) => {
        const bytes = Buffer.byteLength(text);
        for (const { count } of countersOf(told(differences), name)) {
          const tokens = count(text);
          expect(Number.isSafeInteger(tokens)).toBe(true);
          expect(tokens).toBeGreaterThanOrEqual(bytes / 4);
          expect(tokens).toBeLessThanOrEqual(Math.ceil(bytes * 1.05));
        }
      }),
      runs,
    );
  });

  // Mutant seen to fail: a count by code units.
  it("K1: never counts less where there are more bytes, and two texts as together but for one token", () => {
    fc.assert(
      fc.property(anyDifferences, toolName, nastyText(), nastyText(), (differences, name, one, other) => {
        const [a, b] = [one.toWellFormed(), other.toWellFormed()];
        for (const { count } of countersOf(told(differences), name)) {
          const [less, more] = Buffer.byteLength(a) <= Buffer.byteLength(b) ? [a, b] : [b, a];
          expect(count(less)).toBeLessThanOrEqual(count(more));
          const apart = count(a) + count(b);
          expect(count(a + b)).toBeLessThanOrEqual(apart);
          expect(count(a + b)).toBeGreaterThanOrEqual(apart - 1);
        }
      }),
      runs,
    );
  });

  // Mutant seen to fail: a tool left out of the state.
  it("K3: goes on from its state as if it had never been away, and keeps within bounds", () => {
    fc.assert(
      fc.property(anyDifferences, anyDifferences, toolName, (before, after, name) => {
        const counter = told(before);
        const state = JSON.parse(JSON.stringify(counter.state()));
        expect(state).toEqual(counter.state());
        const again = createUsageCounter(state);
        for (const difference of after) {
          counter.learn(difference);
          again.learn(difference);
        }
        expect(again.state()).toEqual(counter.state());
        expect(again.typicalBytesPerToken()).toBe(counter.typicalBytesPerToken());
        const text = "a".repeat(10_000);
        expect(again.forTool(name).count(text)).toBe(counter.forTool(name).count(text));
        expect(counter.state().samples.length).toBeLessThanOrEqual(16);
      }),
      runs,
    );
  });
});

describe("against a provider of one density", () => {
  const provider = fc.double({ min: 1, max: 8, noNaN: true });
  const learnedBytes = fc.array(fc.integer({ min: 512, max: 20_000 }), { minLength: 3, maxLength: 30 });

  // Mutants seen to fail: rounded down; the margin the wrong way round.
  it("K2: counts no less than the provider charges, and after 3 reports at most half as much again as 4 bytes a token allow", () => {
    fc.assert(
      fc.property(provider, learnedBytes, fc.nat(100_000), (density, sizes, bytes) => {
        const charge = (each: number) => Math.ceil(each / density);
        const counter = told(
          sizes.map((each) => ({
            textBytes: each,
            opaqueBytes: 0,
            inputTokens: charge(each),
            toolBytes: new Map([["Read", each]]),
          })),
        );
        for (const { count } of countersOf(counter, "Read")) {
          const tokens = count("a".repeat(bytes));
          expect(tokens).toBeGreaterThanOrEqual(charge(bytes));
          expect(tokens).toBeLessThanOrEqual((bytes / Math.min(density, 4)) * 1.5 + 2);
        }
      }),
      runs,
    );
  });
});
