import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTokenEstimator, type RequestSize, type TokenEstimator } from "../src/index.js";

const runs = { numRuns: process.env.CI ? 10_000 : 1_000 };

const byteCount = fc.oneof(fc.nat(2_000), fc.nat(1_000_000), fc.nat(Number.MAX_SAFE_INTEGER));
const anySize = fc.record({ textBytes: byteCount, opaqueBytes: byteCount, preambleBytes: byteCount });
const tokenCount = fc.oneof(
  { weight: 4, arbitrary: fc.nat(300_000) },
  { weight: 1, arbitrary: fc.oneof(fc.double(), fc.constantFrom(0, -1, 0.5, 1e9, 1e300, Number.NaN)) },
);

/** Mostly what an estimator learns from: one preamble, and text without base64. */
const anyReports = fc.array(
  fc.tuple(
    fc.record({
      textBytes: byteCount,
      opaqueBytes: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: byteCount }),
      preambleBytes: fc.oneof({ weight: 8, arbitrary: fc.constant(3_000) }, { weight: 1, arbitrary: byteCount }),
    }),
    tokenCount,
  ),
  { maxLength: 20 },
);

/** What is added to a session from one request to the next. */
const anyAddition = fc.record({
  textBytes: fc.oneof(fc.nat(600), fc.nat(200_000)),
  opaqueBytes: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(200_000) }),
});
const textAddition = fc.record({ textBytes: fc.integer({ min: 512, max: 200_000 }), opaqueBytes: fc.constant(0) });
const anyProvider = fc.record({
  bytesPerToken: fc.double({ min: 1, max: 4, noNaN: true }),
  preambleBytes: fc.nat(100_000),
  preambleTokens: fc.nat(50_000),
});

describe("against a provider of one density", () => {
  // Mutants seen to fail: the preamble's bytes in the differences; a density of the whole request.
  it("W12: once 512 bytes were added, estimates what is new within 2 % and two tokens", () => {
    const additions = fc.array(anyAddition.map(withoutOpaque), { maxLength: 30 });
    fc.assert(
      fc.property(
        anyProvider,
        textAddition,
        additions,
        anyAddition.map(withoutOpaque),
        (provider, first, more, next) => {
          const { truth, estimate } = estimateNew(provider, [first, ...more], next);
          expect(Math.abs(estimate - truth)).toBeLessThanOrEqual(truth * 0.02 + 2);
        },
      ),
      runs,
    );
  });

  // Mutants seen to fail: opaque bytes at the learned density; differences with any share of them.
  it("W12: with base64 among it, estimates within 2 % too few and 15 % too many", () => {
    const additions = fc.array(anyAddition, { maxLength: 30 });
    fc.assert(
      fc.property(anyProvider, textAddition, additions, anyAddition, (provider, first, more, next) => {
        const { truth, estimate } = estimateNew(provider, [first, ...more], next);
        expect(estimate).toBeGreaterThanOrEqual(truth * 0.98 - 2);
        expect(estimate).toBeLessThanOrEqual(truth * 1.15 + 2);
      }),
      runs,
    );
  });
});

describe("whatever it is told", () => {
  it("W12: estimates an integer from 0, never NaN or Infinity, and no more than one token a byte beyond a report", () => {
    fc.assert(
      fc.property(anyReports, anySize, (reports, size) => {
        const estimate = tell(reports).estimate(size);
        expect(Number.isInteger(estimate) && estimate >= 0).toBe(true);
        expect(estimate).toBeLessThanOrEqual(1e9 + size.textBytes + size.opaqueBytes + size.preambleBytes);
      }),
      runs,
    );
  });

  // Mutant seen to fail: a shorter request counted afresh, at the learned density.
  it("W12: never estimates less where there are more bytes", () => {
    fc.assert(
      fc.property(anyReports, anySize, anySize, (reports, size, more) => {
        const estimator = tell(reports);
        const longer = {
          textBytes: Math.max(size.textBytes, more.textBytes),
          opaqueBytes: Math.max(size.opaqueBytes, more.opaqueBytes),
          preambleBytes: Math.max(size.preambleBytes, more.preambleBytes),
        };
        expect(estimator.estimate(longer)).toBeGreaterThanOrEqual(estimator.estimate(size));
      }),
      runs,
    );
  });

  // Mutants seen to fail: rounded up; the bounds of the density left out.
  it("W12: the bytes that some tokens pay for cost no more than these, and one more byte a token does", () => {
    fc.assert(
      fc.property(anyReports, anySize, fc.nat(1_000_000), (reports, size, tokens) => {
        const estimator = tell(reports);
        const bytes = estimator.bytesFor(tokens);
        expect(bytes).toBeGreaterThanOrEqual(tokens);
        expect(bytes).toBeLessThanOrEqual(tokens * 4);
        const base = { ...size, textBytes: 1_000 };
        const told = tell([...reports, [base, 5_000]]);
        const paid = told.bytesFor(tokens);
        expect(told.estimate({ ...base, textBytes: 1_000 + paid })).toBeLessThanOrEqual(5_000 + tokens);
        expect(told.estimate({ ...base, textBytes: 1_001 + paid })).toBeGreaterThanOrEqual(5_000 + tokens);
      }),
      runs,
    );
  });
});

interface Provider {
  readonly bytesPerToken: number;
  readonly preambleBytes: number;
  readonly preambleTokens: number;
}

type Addition = Pick<RequestSize, "textBytes" | "opaqueBytes">;

function withoutOpaque({ textBytes }: Addition): Addition {
  return { textBytes, opaqueBytes: 0 };
}

/** Tokens of `next`, the newest addition: what the provider will charge for it, and what an estimator says that saw the others. */
function estimateNew(provider: Provider, additions: readonly Addition[], next: Addition) {
  // It rounds, charges the preamble as it likes, and base64 at 1.8 bytes a token.
  const charge = ({ textBytes, opaqueBytes }: RequestSize) =>
    Math.max(1, Math.ceil(provider.preambleTokens + textBytes / provider.bytesPerToken + opaqueBytes / 1.8));
  const estimator = createTokenEstimator();
  let size: RequestSize = { textBytes: 0, opaqueBytes: 0, preambleBytes: provider.preambleBytes };
  estimator.report(size, charge(size));
  for (const addition of additions) {
    size = grow(size, addition);
    estimator.report(size, charge(size));
  }
  const coming = grow(size, next);
  return { truth: charge(coming) - charge(size), estimate: estimator.estimate(coming) - charge(size) };
}

function grow(size: RequestSize, { textBytes, opaqueBytes }: Addition): RequestSize {
  return { ...size, textBytes: size.textBytes + textBytes, opaqueBytes: size.opaqueBytes + opaqueBytes };
}

function tell(reports: readonly (readonly [RequestSize, number])[]): TokenEstimator {
  const estimator = createTokenEstimator();
  for (const [size, inputTokens] of reports) estimator.report(size, inputTokens);
  return estimator;
}
