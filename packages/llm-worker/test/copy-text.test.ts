import { nastyText } from "@pod/test-harness/laws";
import { expect, it } from "vitest";
import { copyText } from "../src/copy-text.js";
import { expectLaw } from "./support/expect-law.js";

// That the copy shares no memory with the text is shown in memory.test.ts.
// Mutant seen to fail: `toWellFormed` left out.
it("W13: a copy is the text, well-formed, and nothing else", () => {
  expectLaw(nastyText(), (text) => {
    expect(copyText(text)).toBe(text.toWellFormed());
  });
});

it.each(["", "a", "\uD800", "😀", "\uDE00\uD83D"])("W13: a copy is well-formed: %j", (text) => {
  expect(copyText(text)).toBe(text.toWellFormed());
});
