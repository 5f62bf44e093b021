import * as assert from "node:assert/strict";
import fc from "fast-check";
import { limitFor, nastyText } from "./arbitraries.js";
import { type CapLaw, type CapSubject, knownFieldsOf, limitOf } from "./cap-law.js";
import { countUtf8Bytes, type NaiveKeep } from "./oracle.js";

/** The second half of C5, which takes a record to hold. */
export const CAP_AGAIN_LAW: CapLaw = {
  clause: "C5",
  title: "a second, lower limit gives what it would have given at once",
  needsCapToolResult: true,
  property: (subject, keep) => fc.property(textAndTwoLimits(), (sample) => cutsTwiceAsOnce(subject, sample, keep)),
};

interface TextAndTwoLimits {
  readonly text: string;
  readonly first: number;
  readonly second: number;
}

function cutsTwiceAsOnce({ capToolResult }: CapSubject, sample: TextAndTwoLimits, keep: NaiveKeep): void {
  const { text, first, second } = sample;
  assert.ok(capToolResult, "this law needs capToolResult");
  const between = capToolResult({ content: text }, limitOf(first, keep));
  // Two ends are not the longest that fit, so a result that is within the second limit already may have room left.
  if (keep === "ends" && between.truncation && countUtf8Bytes(between.content ?? "") <= second) return;
  const twice = capToolResult(between, limitOf(second, keep));
  const once = capToolResult({ content: text }, limitOf(second, keep));
  assert.equal(twice.content, once.content);
  const recordedLimit = twice === between ? between.truncation?.maxBytes : second;
  assert.deepEqual(
    knownFieldsOf(twice.truncation),
    once.truncation && { ...knownFieldsOf(once.truncation), maxBytes: recordedLimit },
  );
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
