import assert from "node:assert/strict";
import fc from "fast-check";
import { limitFor, markerImitation, nastyText, type TextAndLimit, textAndLimit } from "./arbitraries.js";
import { capNaively, countUtf8Bytes, type NaiveCappedText, splitWellFormed } from "./oracle.js";

/** The functions that the laws are about, as any implementation may have them. Sizes are UTF-8 bytes. */
export interface CapSubject {
  capText(text: string, limit: { readonly maxBytes: number }): NaiveCappedText;
  capToolResult?(result: CappableResult, limit: { readonly maxBytes: number }): CappableResult;
}

/** The part of a tool result that the cap looks at. */
export interface CappableResult {
  readonly content?: string;
  readonly truncation?: NonNullable<NaiveCappedText["truncation"]>;
}

/** One promise of the cap, which holds or throws for what fast-check makes up. */
export interface CapLaw {
  /** The clause of the design that it comes from: `C2`. */
  readonly clause: string;
  readonly title: string;
  /** Present where the law needs more than `capText`. */
  readonly needsCapToolResult?: true;
  property(subject: CapSubject): fc.IProperty<unknown>;
}

/** The laws one by one, so that a test can show that each of them refuses something. */
export const CAP_LAWS: readonly CapLaw[] = [
  lawOfTexts("C1", "a text comes back well-formed, cut or not", ({ capText }, { text, maxBytes }) => {
    assert.ok(capText(text, { maxBytes }).text.isWellFormed(), "the result has a lone surrogate");
  }),
  lawOfTexts("C1", "a text within the limit comes back whole, without a record", ({ capText }, { text, maxBytes }) => {
    if (countUtf8Bytes(text) > maxBytes) return;
    const capped = capText(text, { maxBytes });
    assert.equal(capped.text, splitWellFormed(text).join(""));
    assert.equal(capped.truncation, undefined);
  }),
  lawOfTexts("C2", "the result is within the limit, marker included", ({ capText }, { text, maxBytes }) => {
    assert.ok(countUtf8Bytes(capText(text, { maxBytes }).text) <= maxBytes, "the result is over the limit");
  }),
  lawOfTexts("C2", "the kept part is a prefix that ends between two code points", ({ capText }, { text, maxBytes }) => {
    const { text: cut, truncation } = capText(text, { maxBytes });
    if (truncation === undefined) return;
    let keptBytes = 0;
    let kept = "";
    for (const character of splitWellFormed(text)) {
      if (keptBytes >= truncation.keptBytes) break;
      keptBytes += countUtf8Bytes(character);
      kept += character;
    }
    assert.equal(keptBytes, truncation.keptBytes);
    assert.ok(cut.startsWith(kept), "the result does not begin with the kept part");
  }),
  lawOfTexts("C2", "the kept part is the longest that the oracle finds", agreesWithOracle),
  lawOfTexts("C3", "the marker is one line with the bytes that went", ({ capText }, { text, maxBytes }) => {
    const { text: cut, truncation } = capText(text, { maxBytes });
    if (truncation === undefined || maxBytes < 48 + String(truncation.originalBytes).length) return;
    const line = `\n\n[truncated: ${countUtf8Bytes(text) - truncation.keptBytes} bytes dropped, refine your query]`;
    assert.ok(cut.endsWith(line), "the marker is not the last line");
    assert.equal(countUtf8Bytes(cut), truncation.keptBytes + line.length);
  }),
  lawOfTexts("C4", "short limits get the short marker, then none", ({ capText }, { text, maxBytes }) => {
    const { text: cut, truncation } = capText(text, { maxBytes });
    if (truncation === undefined || maxBytes >= 48 + String(truncation.originalBytes).length) return;
    const end = maxBytes >= 11 ? "[truncated]" : "";
    assert.ok(cut.endsWith(end), "the short marker is missing");
    assert.equal(countUtf8Bytes(cut), truncation.keptBytes + end.length);
  }),
  lawOfTexts("C4", "the record tells the truth", ({ capText }, { text, maxBytes }) => {
    const { truncation } = capText(text, { maxBytes });
    const textBytes = countUtf8Bytes(text);
    assert.equal(truncation !== undefined, textBytes > maxBytes, "a record is there exactly where a text was cut");
    if (truncation === undefined) return;
    assert.equal(truncation.maxBytes, maxBytes);
    assert.equal(truncation.originalBytes, textBytes);
    assert.equal(truncation.droppedBytes, textBytes - truncation.keptBytes);
  }),
  lawOfTexts("C4", "the result never has more bytes than the text", ({ capText }, { text, maxBytes }) => {
    assert.ok(countUtf8Bytes(capText(text, { maxBytes }).text) <= countUtf8Bytes(text), "the result is the bigger one");
  }),
  lawOfTexts("C5", "a capped text is within its limit, and stays as it is", ({ capText }, { text, maxBytes }) => {
    const once = capText(text, { maxBytes }).text;
    const twice = capText(once, { maxBytes });
    assert.equal(twice.text, once);
    assert.equal(twice.truncation, undefined);
  }),
  {
    clause: "C5",
    title: "a second, lower limit gives what it would have given at once",
    needsCapToolResult: true,
    property: (subject) => fc.property(textAndTwoLimits(), (sample) => cutsTwiceAsOnce(subject, sample)),
  },
  lawOfTexts("C7", "no text makes it throw", ({ capText }, { text, maxBytes }) => {
    assert.doesNotThrow(() => capText(text, { maxBytes }));
  }),
  {
    clause: "C7",
    title: "what is not a limit is a RangeError that names it",
    property: ({ capText }) =>
      fc.property(nastyText(), notALimit(), (text, maxBytes) => {
        assert.throws(
          () => capText(text, { maxBytes }),
          (error) => error instanceof RangeError && error.message.includes(String(maxBytes)),
        );
      }),
  },
  {
    clause: "C8",
    title: "markers in the text are text",
    property: (subject) => fc.property(textAndLimit(imitatingText()), (sample) => agreesWithOracle(subject, sample)),
  },
];

function lawOfTexts(clause: string, title: string, check: (subject: CapSubject, sample: TextAndLimit) => void): CapLaw {
  return { clause, title, property: (subject) => fc.property(textAndLimit(), (sample) => check(subject, sample)) };
}

/** Throws unless `capText` and the naive oracle say the same of a text. */
export function agreesWithOracle({ capText }: CapSubject, { text, maxBytes }: TextAndLimit): void {
  const { text: capped, truncation } = capText(text, { maxBytes });
  const expected = capNaively(text, maxBytes);
  assert.equal(capped, expected.text);
  assert.deepEqual(numbersOf(truncation), expected.truncation);
}

interface TextAndTwoLimits {
  readonly text: string;
  readonly first: number;
  readonly second: number;
}

function cutsTwiceAsOnce({ capToolResult }: CapSubject, { text, first, second }: TextAndTwoLimits): void {
  assert.ok(capToolResult, "this law needs capToolResult");
  const between = capToolResult({ content: text }, { maxBytes: first });
  const twice = capToolResult(between, { maxBytes: second });
  const once = capToolResult({ content: text }, { maxBytes: second });
  assert.equal(twice.content, once.content);
  const recordedLimit = twice === between ? between.truncation?.maxBytes : second;
  assert.deepEqual(
    numbersOf(twice.truncation),
    once.truncation && { ...numbersOf(once.truncation), maxBytes: recordedLimit },
  );
}

/** The fields that every record has: others may be added. */
function numbersOf(truncation: NaiveCappedText["truncation"]): NaiveCappedText["truncation"] {
  if (truncation === undefined) return undefined;
  const { maxBytes, originalBytes, keptBytes, droppedBytes } = truncation;
  return { maxBytes, originalBytes, keptBytes, droppedBytes };
}

/** A text over 129 bytes, and two limits, both at least 128, the second one lower. */
function textAndTwoLimits(): fc.Arbitrary<TextAndTwoLimits> {
  const bigEnough = fc.tuple(nastyText(), fc.nat(200)).map(([text, more]) => text + "é".repeat(65 + more));
  return bigEnough.chain((text) =>
    fc
      .tuple(limitFor(text), fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 300 })))
      .map(([limit, gap]) => {
        const second = Math.min(Math.max(limit, 128), 2_147_483_647 - gap);
        return { text, first: second + gap, second };
      }),
  );
}

function imitatingText(): fc.Arbitrary<string> {
  return fc.array(fc.oneof(markerImitation(), nastyText()), { maxLength: 5 }).map((parts) => parts.join(""));
}

/** Typed as a number because that is how a wrong one gets in. */
function notALimit(): fc.Arbitrary<number> {
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
