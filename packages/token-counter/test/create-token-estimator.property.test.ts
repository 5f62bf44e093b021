import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTokenEstimator, type RequestSize, type TokenEstimator } from "../src/index.js";

const runs = { numRuns: process.env.CI ? 10_000 : 1_000 };

/** What is added to a session from one request to the next. */
const added = fc.record({
  textBytes: fc.oneof(fc.nat(600), fc.nat(200_000)),
  opaqueBytes: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5_000) }),
});
const byteCount = fc.oneof(fc.nat(2_000), fc.nat(1_000_000), fc.nat(Number.MAX_SAFE_INTEGER));
const anySize = fc.record({ textBytes: byteCount, opaqueBytes: byteCount, preambleBytes: byteCount });
const anyTokens = fc.oneof(fc.nat(300_000), fc.double(), fc.constantFrom(0, -1, 1e300, 1e9, Number.NaN));
const anyReports = fc.array(fc.tuple(anySize, anyTokens), { maxLength: 20 });

describe("against a provider of one density", () => {
  // Mutants seen to fail: the preamble's bytes in the differences; 128 bytes enough; opaque bytes at the learned density.
  it("W12: after any usable difference, what is new is estimated within 2 % and two tokens", () => {
    const densities = fc.double({ min: 1, max: 4, noNaN: true });
    const preamble = fc.record({ bytes: fc.nat(100_000), tokens: fc.nat(50_000) });
    const sessions = fc.tuple(
      densities,
      preamble,
      fc.array(added, { minLength: 1, maxLength: 30 }),
      added,
      fc.nat(2_000),
    );
    fc.assert(
      fc.property(sessions, ([density, { bytes, tokens }, additions, next, firstBytes]) => {
        // A provider rounds, frames messages at a price that is in the preamble here, and charges base64 at 1.8.
        const charge = ({ textBytes, opaqueBytes }: RequestSize) =>
          Math.max(1, Math.ceil(tokens + textBytes / density + opaqueBytes / 1.8));
        const estimator = createTokenEstimator();
        let size: RequestSize = { textBytes: firstBytes, opaqueBytes: 0, preambleBytes: bytes };
        estimator.report(size, charge(size));
        let learned = false;
        for (const addition of additions) {
          size = grow(size, addition);
          estimator.report(size, charge(size));
          learned ||= addition.textBytes >= 512 && addition.opaqueBytes === 0;
        }
        const coming = grow(size, next);
        const fresh = charge(coming) - charge(size);
        const estimated = estimator.estimate(coming) - charge(size);
        const slack = learned && additions.every(({ opaqueBytes }) => opaqueBytes === 0) ? 0.02 : 3;
        expect(Math.abs(estimated - fresh)).toBeLessThanOrEqual(fresh * slack + 2);
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

  // Mutant seen to fail: a shorter request estimated at the learned density, never below 0.
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

  // Mutants seen to fail: rounded up; the bound of the density left out.
  it("W12: the bytes that some tokens pay for cost no more than these, and one more byte a token does", () => {
    fc.assert(
      fc.property(anyReports, anySize, fc.nat(1_000_000), (reports, size, tokens) => {
        const estimator = tell(reports);
        const bytes = estimator.bytesFor(tokens);
        expect(bytes).toBeGreaterThanOrEqual(tokens);
        expect(bytes).toBeLessThanOrEqual(tokens * 4);
        const [last] = reports.filter(([, inputTokens]) => inputTokens >= 1 && inputTokens <= 1e9).slice(-1);
        const base = { ...(last?.[0] ?? size), textBytes: 1_000 };
        const told = tell([...reports, [base, 5_000]]);
        const paid = told.bytesFor(tokens);
        expect(told.estimate({ ...base, textBytes: 1_000 + paid })).toBeLessThanOrEqual(5_000 + tokens);
        expect(told.estimate({ ...base, textBytes: 1_001 + paid })).toBeGreaterThanOrEqual(5_000 + tokens);
      }),
      runs,
    );
  });
});

function grow(
  size: RequestSize,
  { textBytes, opaqueBytes }: Pick<RequestSize, "textBytes" | "opaqueBytes">,
): RequestSize {
  return { ...size, textBytes: size.textBytes + textBytes, opaqueBytes: size.opaqueBytes + opaqueBytes };
}

function tell(reports: readonly (readonly [RequestSize, number])[]): TokenEstimator {
  const estimator = createTokenEstimator();
  for (const [size, inputTokens] of reports) estimator.report(size, inputTokens);
  return estimator;
}
