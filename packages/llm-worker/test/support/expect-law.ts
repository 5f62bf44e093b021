import fc from "fast-check";

const numRuns = process.env.CI ? 10_000 : 1_000;

/** Checks a law with many values; where it fails, fast-check prints the seed and the smallest value that breaks it. */
export function expectLaw<T>(values: fc.Arbitrary<T>, check: (value: T) => void): void {
  fc.assert(
    fc.property(values, (value) => {
      check(value);
    }),
    { numRuns },
  );
}
