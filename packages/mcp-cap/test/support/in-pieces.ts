import fc from "fast-check";

/** Where to cut bytes into pieces: any places, so also inside characters, escapes and numbers. */
export const arbitraryCuts: fc.Arbitrary<readonly number[]> = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
  maxLength: 12,
});

/** The same bytes in pieces. */
export function inPieces(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [
    0,
    ...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((left, right) => left - right),
    bytes.length,
  ];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}
