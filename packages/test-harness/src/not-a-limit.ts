import fc from "fast-check";

/** What is given for a limit and is none. Typed as a number because that is how a wrong one gets in. */
export function notALimit(): fc.Arbitrary<number> {
  const wrong: fc.Arbitrary<unknown> = fc.oneof(
    fc.constantFrom(
      0,
      -0.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      1e300,
      2 ** 31,
      "16000",
      "",
      null,
      undefined,
      true,
    ),
    fc.integer({ max: 0 }),
    fc.integer({ max: 0x7fff_ffff }).map((below) => 2 ** 32 + below),
    fc.double({ noInteger: true }),
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  );
  return wrong as fc.Arbitrary<number>;
}
