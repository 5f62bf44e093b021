import { capNaively, countUtf8Bytes, nastyText } from "@pod/test-harness/laws";
import { capText, type Truncation } from "@pod/tool-output-cap";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normaliseDraft } from "../src/draft.js";
import { renderToolResult, type ToolResult, type ToolResultDraft } from "../src/messages.js";
import { isFromChokepoint, makeToolResult } from "../src/tool-result.js";
import { arbitraryDraft } from "./support/arbitrary-draft.js";
import { expectLaw } from "./support/expect-law.js";
import { findJsonFaults } from "./support/json-faults.js";

const FIELDS = ["toolCallId", "toolName", "summary", "summaryIsDerived", "content", "isError", "truncation"];

describe("any draft, through the chokepoint", () => {
  // Mutants seen to fail: the content not capped; the draft's content after the cap.
  it("W1 C2: has content within the limit, as the oracle cuts it", () => {
    expectLaw(draftAndLimit(), ({ draft, maxBytes }) => {
      const { content, truncation } = makeToolResult(draft, { maxBytes });
      const full = normaliseDraft(draft).content;
      if (full === undefined) {
        expect(content).toBeUndefined();
        expect(truncation).toBeUndefined();
        return;
      }
      const expected = capNaively(full, maxBytes);
      expect(countUtf8Bytes(content ?? "")).toBeLessThanOrEqual(maxBytes);
      expect(content).toBe(expected.text);
      expect(truncation).toEqual(expected.truncation);
    });
  });

  // Mutant seen to fail: the summary capped like the content.
  it("W4: keeps its normal summary whatever the limit, well-formed", () => {
    expectLaw(draftAndLimit(), ({ draft, maxBytes }) => {
      const { summary, summaryIsDerived } = normaliseDraft(draft);
      const result = makeToolResult(draft, { maxBytes });
      expect(result.summary).toBe(summary.toWellFormed());
      expect(result.summaryIsDerived).toBe(summaryIsDerived);
    });
  });

  // Mutants seen to fail: an error where the content was cut; no error where it was cut.
  it("W7: is an error exactly where it was one before", () => {
    expectLaw(draftAndLimit(), ({ draft, maxBytes }) => {
      expect(makeToolResult(draft, { maxBytes }).isError).toBe(draft.isError);
    });
  });

  // Mutants seen to fail: result or record not frozen; the summary, the id or the name not made well-formed.
  it("W9 W13: is frozen, plain, well-formed JSON", () => {
    expectLaw(draftAndLimit(), ({ draft, maxBytes }) => {
      expect(findJsonFaults(makeToolResult(draft, { maxBytes }))).toEqual([]);
    });
  });

  // Mutant seen to fail: `...draft` in the result.
  it("W9: has its own fields and no others, whatever the draft carries", () => {
    const withMore = fc.tuple(draftAndLimit(), fc.dictionary(fc.string(), fc.string()));
    expectLaw(withMore, ([{ draft, maxBytes }, more]) => {
      const carrying = { ...more, full: "everything", ...draft, [Symbol("hidden")]: "x" };
      const result = makeToolResult(carrying, { maxBytes });
      expect(FIELDS).toEqual(expect.arrayContaining(Reflect.ownKeys(result)));
      expect(result).toEqual(makeToolResult(draft, { maxBytes }));
      expect(isFromChokepoint(result)).toBe(true);
    });
  });

  // Mutant seen to fail: the record of before is dropped.
  it("W1 C5: made again within the same limit comes out equal, from 11 bytes, where a cut leaves a marker", () => {
    expectLaw(draftAndLimit(11), ({ draft, maxBytes }) => {
      const result = makeToolResult(draft, { maxBytes });
      expect(makeToolResult(result, { maxBytes })).toStrictEqual(result);
    });
  });

  // Mutant seen to fail: the record is not handed to the cap.
  it("C5 C10: made again within a smaller limit is as if made so at first, from 128 bytes", () => {
    const limits = fc.tuple(draftAndLimit(128), fc.integer({ min: 128, max: 8_192 }));
    expectLaw(limits, ([{ draft, maxBytes }, other]) => {
      const [smaller, larger] = [Math.min(maxBytes, other), Math.max(maxBytes, other)];
      const again = makeToolResult(makeToolResult(draft, { maxBytes: larger }), { maxBytes: smaller });
      expect(withoutLimit(again)).toEqual(withoutLimit(makeToolResult(draft, { maxBytes: smaller })));
    });
  });

  it("W5: is read as a text that is never empty, whatever the limit", () => {
    expectLaw(draftAndLimit(), ({ draft, maxBytes }) => {
      expect(renderToolResult(makeToolResult(draft, { maxBytes }))).not.toBe("");
    });
  });
});

describe("a record that came with a draft", () => {
  // Mutants seen to fail: `truncation: draft.truncation`; a content within the limit keeps whatever record it has.
  it("C10: is believed only where it matches the content: a forged one changes nothing", () => {
    const forged = fc.tuple(draftAndLimit(), anyRecord());
    expectLaw(forged, ([{ draft, maxBytes }, truncation]) => {
      // An empty text may be what a limit below its first character left.
      fc.pre(!matches(normaliseDraft(draft).content ?? draft.content, truncation));
      expect(makeToolResult({ ...draft, truncation }, { maxBytes })).toEqual(makeToolResult(draft, { maxBytes }));
    });
  });

  // Mutants seen to fail: `originalBytes > contentBytes` left out; `contentBytes < 2` left out.
  it.each([
    [
      "an original of the content's own size",
      "x".repeat(60),
      { maxBytes: 60, originalBytes: 60, keptBytes: 10, droppedBytes: 50 },
    ],
    [
      "a content of one byte, too small to be cut",
      "x",
      { maxBytes: 1, originalBytes: 9, keptBytes: 8, droppedBytes: 1 },
    ],
  ])("C10: is not believed with %s", (_, content, truncation) => {
    const draft = { toolCallId: "c", toolName: "t", summary: "s", content, isError: false };
    expect(makeToolResult({ ...draft, truncation }, { maxBytes: 100 })).toEqual({ ...draft });
  });

  it("C10: is believed where it does, and copied without what else it carries", () => {
    const cut = fc.tuple(nastyText(), fc.integer({ min: 11, max: 2_000 }));
    expectLaw(cut, ([text, maxBytes]) => {
      const { text: content, truncation } = capText(text, { maxBytes });
      if (truncation === undefined) return;
      const carrying = { ...truncation, full: text };
      const draft = { toolCallId: "c", toolName: "t", summary: "s", content, isError: false, truncation: carrying };
      expect(makeToolResult(draft, { maxBytes }).truncation).toEqual(truncation);
    });
  });

  it("C8: is not made up from a marker that stands in the text", () => {
    const imitation = "kept\n\n[truncated: 999 bytes dropped, refine your query]";
    const draft = { toolCallId: "c", toolName: "t", summary: "s", content: imitation, isError: false };
    expect(makeToolResult(draft, { maxBytes: 1_000 }).truncation).toBeUndefined();
    expect(makeToolResult(draft, { maxBytes: 53 }).truncation?.originalBytes).toBe(imitation.length);
  });
});

function draftAndLimit(min = 1): fc.Arbitrary<{ readonly draft: ToolResultDraft; readonly maxBytes: number }> {
  return arbitraryDraft().chain((draft) => {
    const bytes = countUtf8Bytes(normaliseDraft(draft).content ?? "");
    const near = { min: Math.max(min, bytes - 60), max: Math.max(min, bytes + 5) };
    const maxBytes = fc.oneof(
      fc.integer({ min, max: Math.max(min, bytes) }),
      fc.integer(near),
      fc.integer({ min, max: min + 60 }),
      fc.constantFrom(16_384, 2_147_483_647),
    );
    return fc.record({ draft: fc.constant(draft), maxBytes });
  });
}

function anyRecord(): fc.Arbitrary<Truncation> {
  const figure = fc.oneof(fc.nat(3_000), fc.constantFrom(0, -1, 1.5, Number.NaN, 2 ** 53, 1e300));
  return fc.oneof(
    fc.record({ maxBytes: figure, originalBytes: figure, keptBytes: figure, droppedBytes: figure }),
    fc.record({ maxBytes: fc.nat(3_000), keptBytes: fc.nat(3_000), droppedBytes: fc.nat(3_000) }).map((record) => ({
      ...record,
      originalBytes: record.keptBytes + record.droppedBytes,
    })),
  );
}

function matches(
  content: string | undefined,
  { keptBytes, droppedBytes, originalBytes, maxBytes }: Truncation,
): boolean {
  if (originalBytes !== keptBytes + droppedBytes) return false;
  if (content === undefined) return maxBytes === 0 && keptBytes === 0;
  const bytes = countUtf8Bytes(content);
  const ends = [`\n\n[truncated: ${droppedBytes} bytes dropped, refine your query]`, "[truncated]", ""];
  return bytes <= maxBytes && ends.some((end) => content.endsWith(end) && bytes === keptBytes + end.length);
}

function withoutLimit({ truncation, ...result }: ToolResult) {
  const { maxBytes: _, ...figures } = truncation ?? {};
  return { ...result, figures };
}
