/** Cuts of ASCII text that must come out exactly: original bytes, limit, kept bytes, dropped bytes. */
export const EXACT_VALUES: readonly (readonly [number, number, number, number])[] = [
  [125_000, 16_384, 16_330, 108_670],
  [16_385, 16_384, 16_334, 51],
  [1_000, 200, 149, 851],
  [1_010, 1_000, 950, 60],
  [70_000, 65_536, 65_484, 4_516],
  [131_072, 32_768, 32_715, 98_357],
  [20_000, 8_192, 8_139, 11_861],
];
