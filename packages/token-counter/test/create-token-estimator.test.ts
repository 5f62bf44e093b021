import { describe, expect, it } from "vitest";
import { createTokenEstimator, type RequestSize } from "../src/index.js";

const sizeOf = (textBytes: number, rest: Partial<RequestSize> = {}): RequestSize => ({
  textBytes,
  opaqueBytes: 0,
  preambleBytes: 1_000,
  ...rest,
});

/** An estimator that was told these reports: bytes of text, tokens. */
function told(...reports: readonly (readonly [textBytes: number, inputTokens: number, rest?: Partial<RequestSize>])[]) {
  const estimator = createTokenEstimator();
  for (const [textBytes, inputTokens, rest] of reports) estimator.report(sizeOf(textBytes, rest), inputTokens);
  return estimator;
}

/** Bytes per token that it has learned. */
const densityOf = (estimator: ReturnType<typeof told>) => estimator.bytesFor(1e6) / 1e6;

describe("before any report", () => {
  it("W12: counts every byte at 1.8 a token, the preamble's too, rounded up", () => {
    const estimator = createTokenEstimator();
    expect(estimator.estimate({ textBytes: 1_000, opaqueBytes: 500, preambleBytes: 300 })).toBe(1_000);
    expect(estimator.estimate({ textBytes: 1_001, opaqueBytes: 500, preambleBytes: 300 })).toBe(1_001);
    expect(estimator.estimate({ textBytes: 0, opaqueBytes: 0, preambleBytes: 0 })).toBe(0);
  });

  it("W12: pays for 1.8 bytes with a token, rounded down", () => {
    const estimator = createTokenEstimator();
    expect([1, 5, 30_000].map((tokens) => estimator.bytesFor(tokens))).toEqual([1, 9, 54_000]);
  });
});

describe("after one report", () => {
  it("W12: adds what came since at 1.8 to the provider's own figure, whatever the preamble costs", () => {
    const estimator = told([100, 5_000]);
    expect(estimator.estimate(sizeOf(100))).toBe(5_000);
    expect(estimator.estimate(sizeOf(1_900))).toBe(6_000);
    expect(estimator.estimate(sizeOf(100, { opaqueBytes: 1_800 }))).toBe(6_000);
    expect(estimator.estimate(sizeOf(100, { preambleBytes: 2_800 }))).toBe(6_000);
  });

  it("W12: shrinks in proportion where less is sent", () => {
    const estimator = told([9_000, 5_000]);
    expect(estimator.estimate(sizeOf(4_000))).toBe(2_500);
    expect(estimator.estimate(sizeOf(0, { preambleBytes: 0 }))).toBe(0);
  });
});

describe("learning", () => {
  // Mutant seen to fail: the preamble's bytes in the difference.
  it("W12: takes the density from the difference of two reports", () => {
    const estimator = told([100, 50_000], [30_100, 60_000]);
    expect(densityOf(estimator)).toBe(3);
    expect(estimator.estimate(sizeOf(60_100))).toBe(70_000);
  });

  it("W12: takes the median by bytes, so that one odd report does not move it", () => {
    const reports: [number, number][] = [[0, 100]];
    for (const density of [3, 3, 1, 3, 4, 3]) {
      const [bytes, tokens] = reports.at(-1) ?? [0, 0];
      reports.push([bytes + 12_000, tokens + 12_000 / density]);
    }
    expect(densityOf(told(...reports))).toBe(3);
  });

  it("W12: forgets what is more than 16 differences ago", () => {
    const reports: [number, number][] = [[0, 100]];
    for (const density of [...Array(40).fill(2), ...Array(16).fill(4)]) {
      const [bytes, tokens] = reports.at(-1) ?? [0, 0];
      reports.push([bytes + 4_000, tokens + 4_000 / density]);
    }
    expect(densityOf(told(...reports))).toBe(4);
  });

  // Mutants seen to fail: `<=` for `<`; no more tokens let through; the opaque bytes not looked at; no bounds.
  it.each<[string, [number, number], [number, number, Partial<RequestSize>?], number]>([
    ["512 bytes more", [0, 100], [512, 356], 2],
    ["511 bytes more", [0, 100], [511, 356], 1.8],
    ["as many bytes", [4_000, 100], [4_000, 200], 1.8],
    ["fewer bytes, after compaction", [40_000, 20_000], [10_000, 5_000], 1.8],
    ["as many tokens", [0, 100], [4_000, 100], 1.8],
    ["fewer tokens, after a change of the cache", [0, 9_000], [4_000, 100], 1.8],
    ["a sixteenth of base64", [0, 100], [3_200, 1_700, { opaqueBytes: 200 }], 2],
    ["more base64", [0, 100], [3_200, 1_700, { opaqueBytes: 201 }], 1.8],
    ["another preamble", [0, 100], [4_000, 2_100, { preambleBytes: 1_001 }], 1.8],
    ["text lighter than prose", [0, 100], [40_000, 1_100], 4],
    ["more tokens than bytes", [0, 100], [4_000, 40_100], 1],
  ])("W12: learns within bounds, or nothing: %s", (_what, earlier, later, density) => {
    expect(densityOf(told(earlier, later))).toBe(density);
  });
});

describe("reports that make no sense", () => {
  it.each([Number.NaN, 0, -1, 0.5, 1e300, Number.POSITIVE_INFINITY])("W12: %d tokens change nothing", (inputTokens) => {
    const estimator = told([0, 1_000], [3_000, 2_000], [6_000, inputTokens]);
    expect(estimator.estimate(sizeOf(9_000))).toBe(4_000);
    expect(densityOf(estimator)).toBe(3);
  });

  it.each([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, 2 ** 53])("W12: %d bytes are a RangeError", (bytes) => {
    const estimator = createTokenEstimator();
    for (const name of ["textBytes", "opaqueBytes", "preambleBytes"] as const) {
      const fault = `${name}: expected a number of UTF-8 bytes, an integer from 0, received ${bytes}. Write: new TextEncoder().encode(text).length`;
      expect(() => estimator.estimate(sizeOf(0, { [name]: bytes }))).toThrow(new RangeError(fault));
      expect(() => estimator.report(sizeOf(0, { [name]: bytes }), 1)).toThrow(new RangeError(fault));
    }
  });

  it("W12: no tokens, or none that is a number, pay for nothing; too many for what a request can hold", () => {
    const estimator = createTokenEstimator();
    expect([Number.NaN, 0, -5].map((tokens) => estimator.bytesFor(tokens))).toEqual([0, 0, 0]);
    expect(estimator.bytesFor(Number.POSITIVE_INFINITY)).toBe(1.8e9);
  });

  // Mutant seen to fail: the product rounded down, and no more.
  it("W12: never pays for a byte too many, whatever the product is rounded to", () => {
    const seen: number[] = [];
    for (let tokens = 1; tokens <= 4_000; tokens += 1) {
      const estimator = createTokenEstimator();
      const size = { textBytes: 0, opaqueBytes: 0, preambleBytes: 0 };
      // 7 bytes for 5 tokens.
      for (let report = 0; report < 5; report++)
        estimator.report({ ...size, textBytes: 7_000 * report }, 1 + 5_000 * report);
      const bytes = estimator.bytesFor(tokens);
      const spent = estimator.estimate({ ...size, textBytes: 28_000 + bytes }) - 20_001;
      if (bytes / (7 / 5) > tokens || spent > tokens) seen.push(tokens);
    }
    expect(seen).toEqual([]);
  });

  it("W12: keeps no hold of a size that it was told", () => {
    const estimator = createTokenEstimator();
    const size = { textBytes: 0, opaqueBytes: 0, preambleBytes: 0 };
    estimator.report(size, 10);
    size.textBytes = 1_800;
    expect(estimator.estimate(size)).toBe(1_010);
  });
});
