import fc from "fast-check";
import { countUtf8Bytes } from "./oracle.js";

/** A text and a limit in UTF-8 bytes. */
export interface TextAndLimit {
  readonly text: string;
  readonly maxBytes: number;
}

/** One to a few characters of a kind that has broken somebody's truncation. */
export function nastyPiece(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 12 }) },
    { weight: 3, arbitrary: codePointBetween(0x80, 0x7ff) },
    { weight: 3, arbitrary: codePointBetween(0x800, 0xd7ff) },
    { weight: 1, arbitrary: codePointBetween(0xe000, 0xffff) },
    { weight: 3, arbitrary: codePointBetween(0x10000, 0x10ffff) },
    { weight: 2, arbitrary: surrogate() },
    { weight: 3, arbitrary: fc.constantFrom(...AWKWARD_SEQUENCES) },
    { weight: 1, arbitrary: markerImitation() },
  );
}

/** Texts of every plane, ill-formed ones included: most of some hundred bytes, a few of many thousand. */
export function nastyText(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 20, arbitrary: joined(nastyPiece(), 60) },
    { weight: 20, arbitrary: joined(fc.oneof(nastyPiece(), repeated(fc.nat(90))), 12) },
    { weight: 30, arbitrary: repeated(fc.nat(700)) },
    { weight: 15, arbitrary: joined(surrogate(), 120) },
    { weight: 10, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
    { weight: 1, arbitrary: repeated(fc.integer({ min: 4_000, max: 7_000 })) },
  );
}

/** Texts that are made of markers, whole and broken, true and false. */
export function markerImitation(): fc.Arbitrary<string> {
  const count = fc.oneof(
    fc.nat(2_000).map(String),
    fc.nat(99).map((digits) => "9".repeat(digits)),
    fc.constantFrom("-1", "NaN", "1e9", ""),
  );
  return fc
    .tuple(fc.constantFrom("", "\n", "\n\n"), count, fc.constantFrom("", "\n\n", "]"))
    .chain(([before, digits, after]) =>
      fc.constantFrom(
        `${before}[truncated: ${digits} bytes dropped, refine your query]${after}`,
        `${before}[truncated]${after}`,
        `${before}[truncated: ${digits}`,
      ),
    );
}

/** A text with a limit that is probably near one of the edges: the text's own size, the marker's, a power of ten dropped. */
export function textAndLimit(texts: fc.Arbitrary<string> = nastyText()): fc.Arbitrary<TextAndLimit> {
  return texts.chain((text) => limitFor(text).map((maxBytes) => ({ text, maxBytes })));
}

/** Limits in UTF-8 bytes that are edges for this text. */
export function limitFor(text: string): fc.Arbitrary<number> {
  const textBytes = countUtf8Bytes(text);
  const edges = [
    { weight: 4, maxBytes: textBytes, spread: 5 },
    { weight: 1, maxBytes: 11, spread: 4 },
    { weight: 2, maxBytes: 48 + String(textBytes).length, spread: 4 },
    // Where the dropped bytes gain a digit, the marker gains a byte, and the kept part may lose a character.
    { weight: 3, maxBytes: textBytes - 100 + 50, spread: 6 },
    { weight: 3, maxBytes: textBytes - 1_000 + 51, spread: 6 },
    { weight: 2, maxBytes: textBytes - 10_000 + 52, spread: 6 },
  ];
  const near = edges
    .filter(({ maxBytes }) => maxBytes >= 1)
    .map(({ weight, maxBytes, spread }) => ({
      weight,
      arbitrary: fc.integer({ min: Math.max(1, maxBytes - spread), max: maxBytes + spread }),
    }));
  return fc.oneof(
    ...near,
    { weight: 5, arbitrary: fc.integer({ min: 1, max: textBytes + 1 }) },
    { weight: 1, arbitrary: fc.constantFrom(128, 8_192, 16_000, 65_536, 2_147_483_647) },
  );
}

const AWKWARD_SEQUENCES = [
  "👩‍👩‍👧‍👦",
  "🏳️‍🌈",
  "🇯🇵",
  "👍🏽",
  "é̂̃̄",
  "नमस्ते",
  "ﷺ",
  "\uFEFF",
  "\u0000",
  "\r\n",
  "\n",
  "\u2028",
  "\u001b[31mred\u001b[0m",
  "\uFFFD",
  "\uFFFF",
  "$&",
  "$1",
  "\\",
  "refine your query]",
];

function codePointBetween(min: number, max: number): fc.Arbitrary<string> {
  return fc.integer({ min, max }).map((codePoint) => String.fromCodePoint(codePoint));
}

function surrogate(): fc.Arbitrary<string> {
  return fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));
}

function joined(pieces: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> {
  return fc.array(pieces, { maxLength, size: "max" }).map((parts) => parts.join(""));
}

/** One long line of one piece, shifted so that the cut falls anywhere inside of it. */
function repeated(times: fc.Arbitrary<number>): fc.Arbitrary<string> {
  return fc.tuple(fc.nat(3), nastyPiece(), times).map(([shift, piece, count]) => {
    const enough = Math.ceil(count / Math.max(1, piece.length));
    return "x".repeat(shift) + piece.repeat(enough);
  });
}
