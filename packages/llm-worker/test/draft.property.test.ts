import { countUtf8Bytes } from "@pod/test-harness/laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draftError, draftOutput, editDraft, normaliseDraft } from "../src/draft.js";
import { renderToolResult, type ToolResultDraft } from "../src/messages.js";
import { arbitraryDraft, arbitraryText } from "./support/arbitrary-draft.js";
import { arbitraryValue } from "./support/arbitrary-value.js";
import { expectLaw } from "./support/expect-law.js";

const call = { toolCallId: "call-1", toolName: "Read" };

const anyDraft = fc.oneof(
  arbitraryText().map((text) => draftOutput(call, text)),
  arbitraryText().map((text) => draftError(call, text)),
  fc
    .record({ summary: fc.oneof(arbitraryText(), fc.anything()), content: fc.oneof(arbitraryText(), fc.anything()) })
    .map((output) => draftOutput(call, output)),
  fc.tuple(arbitraryText(), anyEdit()).map(([text, edit]) => editDraft(draftOutput(call, text), edit)),
  fc
    .tuple(arbitraryText(), arbitraryText(), anyEdit())
    .map(([summary, content, edit]) => editDraft(draftOutput(call, { summary, content }), edit)),
);

describe("any draft", () => {
  // Mutants seen to fail: an empty first line stands as the summary; `MAX_SUMMARY_BYTES` compared with the units.
  it("W4: has a summary of 1 to 2,048 bytes, and no content or some", () => {
    expectLaw(anyDraft, ({ summary, content }) => {
      expect(summary).not.toBe("");
      expect(countUtf8Bytes(summary)).toBeLessThanOrEqual(2_048);
      expect(content).not.toBe("");
    });
  });

  // Mutant seen to fail: the old summary is moved again and again, because the first line is not cut.
  it("W4: that is normal comes out of being normalised equal", () => {
    expectLaw(arbitraryDraft().map(normaliseDraft), (draft) => {
      expect(normaliseDraft(draft)).toStrictEqual(draft);
    });
    expectLaw(anyDraft, (draft) => {
      expect(normaliseDraft(draft)).toStrictEqual(draft);
    });
  });

  // Mutant seen to fail: the bytes of a derived summary counted in units.
  it("W4: counts in a derived summary the lines and bytes of the full content", () => {
    expectLaw(anyDraft, ({ summary, summaryIsDerived, content = "" }) => {
      if (!summaryIsDerived) return;
      expect(summary).toBe(`${content.split("\n").length} lines, ${countUtf8Bytes(content)} bytes`);
    });
  });

  // Mutant seen to fail: `editDraft` keeps the derived summary of before.
  it("W4: without a summary of its own is, after its content was edited, as if that had been its output", () => {
    const derived = arbitraryText()
      .map((text) => draftOutput(call, text))
      .filter(({ summaryIsDerived }) => summaryIsDerived === true);
    expectLaw(fc.tuple(derived, arbitraryText()), ([draft, content]) => {
      expect(editDraft(draft, { content })).toStrictEqual(draftOutput(call, content));
    });
  });

  // Mutants seen to fail: a moved summary is dropped; the content goes before it.
  it("W4: loses no text: what it holds is the old summary, then the content", () => {
    const stated = arbitraryText().filter((summary) => summary !== "");
    expectLaw(fc.tuple(stated, arbitraryText()), ([summary, content]) => {
      const draft = draftOutput(call, { summary, content });
      const whole = content === "" ? summary : `${summary}\n${content}`;
      expect(countUtf8Bytes(summary) > 2_048 ? draft.content : renderToolResult(draft)).toBe(whole);
    });
  });

  // Mutant seen to fail: the content alone is read where there is none.
  it("W5: is read as a text that is never empty", () => {
    expectLaw(anyDraft, (draft) => {
      expect(renderToolResult(draft)).not.toBe("");
    });
  });

  // Mutants seen to fail: no `try` in draftOutput; `contentToText` of a summary left out.
  it("W8: is made of any output whatsoever, and of any summary and content", () => {
    expectLaw(arbitraryValue(), (make) => {
      const outputs = [make(), { summary: make(), content: make() }, { content: make() }];
      for (const output of outputs) {
        const draft = draftOutput(call, output);
        expect(normaliseDraft(draft)).toStrictEqual(draft);
        expect(typeof draft.summary).toBe("string");
      }
    });
  });

  it("W5: is read as summary, newline, content; content alone where the summary is derived", () => {
    const read = (texts: Partial<ToolResultDraft>) =>
      renderToolResult({ ...call, summary: "s", isError: false, ...texts });
    expect(read({})).toBe("s");
    expect(read({ content: "c\n" })).toBe("s\nc\n");
    expect(read({ summaryIsDerived: true, content: "c" })).toBe("c");
    // What a cut leaves of a content whose first character is wider than the limit.
    expect(read({ content: "" })).toBe("s");
    expect(read({ summaryIsDerived: true, content: "" })).toBe("s");
  });
});

function anyEdit() {
  return fc.record({ summary: arbitraryText(), content: arbitraryText(), isError: fc.boolean() }, { requiredKeys: [] });
}
