import * as assert from "node:assert/strict";
import fc from "fast-check";
import { markerImitation, nastyText, type TextAndLimit, textAndLimit } from "./arbitraries.js";
import { agreesWithOracle, type CapLaw, type CapSubject, limitOf } from "./cap-law.js";
import { notALimit } from "./not-a-limit.js";
import { countUtf8Bytes, type NaiveCappedText, type NaiveKeep, splitWellFormed } from "./oracle.js";

/** The promises of `capText`, for each thing that it can keep. */
export const CAP_TEXT_LAWS: readonly CapLaw[] = [
  lawOfCuts("C1", "a text comes back well-formed, cut or not", ({ text: cut }) => {
    assert.ok(cut.isWellFormed(), "the result has a lone surrogate");
  }),
  lawOfCuts("C1", "a text within the limit comes back whole, without a record", (capped, { text, maxBytes }) => {
    if (countUtf8Bytes(text) > maxBytes) return;
    assert.equal(capped.text, splitWellFormed(text).join(""));
    assert.equal(capped.truncation, undefined);
  }),
  lawOfCuts("C2", "the result is within the limit, marker included", ({ text: cut }, { maxBytes }) => {
    assert.ok(countUtf8Bytes(cut) <= maxBytes, "the result is over the limit");
  }),
  lawOfCuts("C2", "what is kept is of the end that it should be, between code points", (capped, { text }, keep) => {
    if (capped.truncation === undefined) return;
    const whole = splitWellFormed(text).join("");
    const fits = splitsOf(capped, keep).some(
      ([start, end]) =>
        whole.startsWith(start) &&
        whole.endsWith(end) &&
        start.isWellFormed() &&
        end.isWellFormed() &&
        countUtf8Bytes(start) + countUtf8Bytes(end) === capped.truncation?.keptBytes,
    );
    assert.ok(fits, "the result is not what stands for the dropped bytes, beside what was kept");
  }),
  lawOfTexts("C2", "the kept part is the longest that the oracle finds", agreesWithOracle),
  lawOfCuts("C3", "the marker is one line with the bytes that went", (capped, { text, maxBytes }, keep) => {
    const { text: cut, truncation } = capped;
    if (truncation === undefined || maxBytes < (keep === "ends" ? 51 : 48) + String(truncation.originalBytes).length)
      return;
    const line = `[truncated: ${countUtf8Bytes(text) - truncation.keptBytes} bytes dropped, refine your query]`;
    const around = { head: `\n\n${line}`, tail: `${line}\n\n`, ends: `\n\n${line}\n\n` }[keep];
    assert.ok(isInPlace(cut, around, keep), "the marker is not a line of its own, where it should be");
    assert.equal(countUtf8Bytes(cut), truncation.keptBytes + around.length);
  }),
  lawOfCuts("C4", "short limits get the short marker, then none", ({ text: cut, truncation }, { maxBytes }, keep) => {
    if (truncation === undefined || maxBytes >= 48 + String(truncation.originalBytes).length) return;
    const marker = maxBytes >= 11 ? "[truncated]" : "";
    assert.ok(isInPlace(cut, marker, keep === "ends" ? "head" : keep), "the short marker is missing");
    assert.equal(countUtf8Bytes(cut), truncation.keptBytes + marker.length);
  }),
  lawOfCuts("C4", "the record tells the truth", ({ truncation }, { text, maxBytes }, keep) => {
    const textBytes = countUtf8Bytes(text);
    assert.equal(truncation !== undefined, textBytes > maxBytes, "a record is there exactly where a text was cut");
    if (truncation === undefined) return;
    assert.equal(truncation.maxBytes, maxBytes);
    assert.equal(truncation.originalBytes, textBytes);
    assert.equal(truncation.droppedBytes, textBytes - truncation.keptBytes);
    assert.equal(truncation.keep ?? "head", keep);
  }),
  lawOfCuts("C4", "the result never has more bytes than the text", ({ text: cut }, { text }) => {
    assert.ok(countUtf8Bytes(cut) <= countUtf8Bytes(text), "the result is the bigger one");
  }),
  lawOfTexts("C5", "a capped text is within its limit, and stays as it is", (subject, { text, maxBytes }, keep) => {
    const once = subject.capText(text, limitOf(maxBytes, keep)).text;
    const twice = subject.capText(once, limitOf(maxBytes, keep));
    assert.equal(twice.text, once);
    assert.equal(twice.truncation, undefined);
  }),
  lawOfTexts("C7", "no text makes it throw", (subject, { text, maxBytes }, keep) => {
    assert.doesNotThrow(() => subject.capText(text, limitOf(maxBytes, keep)));
  }),
  {
    clause: "C7",
    title: "what is not a limit is a RangeError that names it",
    property: (subject, keep) =>
      fc.property(nastyText(), notALimit(), (text, maxBytes) => {
        assert.throws(
          () => subject.capText(text, limitOf(maxBytes, keep)),
          (error) => error instanceof RangeError && error.message.includes(String(maxBytes)),
        );
      }),
  },
  {
    clause: "C8",
    title: "markers in the text are text",
    property: (subject, keep) =>
      fc.property(textAndLimit(imitatingText()), (sample) => agreesWithOracle(subject, sample, keep)),
  },
];

function lawOfTexts(
  clause: string,
  title: string,
  check: (subject: CapSubject, sample: TextAndLimit, keep: NaiveKeep) => void,
): CapLaw {
  const property = (subject: CapSubject, keep: NaiveKeep) =>
    fc.property(textAndLimit(), (sample) => check(subject, sample, keep));
  return { clause, title, property };
}

function lawOfCuts(
  clause: string,
  title: string,
  check: (capped: NaiveCappedText, sample: TextAndLimit, keep: NaiveKeep) => void,
): CapLaw {
  return lawOfTexts(clause, title, (subject, sample, keep) =>
    check(subject.capText(sample.text, limitOf(sample.maxBytes, keep)), sample, keep),
  );
}

/** Each way to take a result for a start, what stands for the dropped bytes, and an end. */
function splitsOf({ text: cut, truncation }: NaiveCappedText, keep: NaiveKeep): readonly (readonly [string, string])[] {
  const line = `[truncated: ${truncation?.droppedBytes} bytes dropped, refine your query]`;
  const between = `\n\n${line}\n\n`;
  const splits: (readonly [string, string])[] = [];
  for (const gap of [`\n\n${line}`, "[truncated]", ""]) {
    if (keep !== "tail" && cut.endsWith(gap)) splits.push([cut.slice(0, cut.length - gap.length), ""]);
  }
  for (const gap of [`${line}\n\n`, "[truncated]", ""]) {
    if (keep === "tail" && cut.startsWith(gap)) splits.push(["", cut.slice(gap.length)]);
  }
  for (let at = cut.indexOf(between); keep === "ends" && at !== -1; at = cut.indexOf(between, at + 1)) {
    splits.push([cut.slice(0, at), cut.slice(at + between.length)]);
  }
  return splits;
}

function isInPlace(cut: string, gap: string, keep: NaiveKeep): boolean {
  if (keep === "ends") return cut.includes(gap);
  return keep === "tail" ? cut.startsWith(gap) : cut.endsWith(gap);
}

function imitatingText(): fc.Arbitrary<string> {
  return fc.array(fc.oneof(markerImitation(), nastyText()), { maxLength: 5 }).map((parts) => parts.join(""));
}
