import { nastyText } from "@pod/test-harness/laws";
import fc from "fast-check";
import type { ToolResultDraft } from "../../src/messages.js";

/** Drafts that nobody has normalised: any text anywhere, the flag of a derived summary where it does not belong. */
export function arbitraryDraft(): fc.Arbitrary<ToolResultDraft> {
  return fc.record(
    {
      toolCallId: nastyText(),
      toolName: nastyText(),
      summary: arbitraryText(),
      summaryIsDerived: fc.constant(true),
      content: arbitraryText(),
      isError: fc.boolean(),
    },
    { requiredKeys: ["toolCallId", "toolName", "summary", "isError"] },
  );
}

/** Texts of any size around the two that matter to a summary, 200 and 2,048 bytes, some of one character over and over. */
export function arbitraryText(): fc.Arbitrary<string> {
  const edge = fc.oneof(fc.integer({ min: 195, max: 205 }), fc.integer({ min: 2_043, max: 2_053 }), fc.nat(5_000));
  const unit = fc.constantFrom("a", "é", "語", "😀", "\uD83D", "\uDE00", "\n", "\r\n", "ab\n");
  const long = fc
    .tuple(fc.constantFrom("", "\n", "\r\n", "first line\n", "é"), unit, edge)
    .map(([start, character, bytes]) => start + character.repeat(Math.floor(bytes / Buffer.byteLength(character))));
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant("") },
    { weight: 4, arbitrary: nastyText() },
    { weight: 5, arbitrary: long },
  );
}
