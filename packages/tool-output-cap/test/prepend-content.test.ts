import { describe, expect, it } from "vitest";
import { prependContent } from "../src/chokepoint.js";
import { capToolResult, formatMarker, type OutputLimit, type Truncation } from "../src/index.js";

interface Result {
  readonly content?: string;
  readonly isError?: boolean;
  readonly truncation?: Truncation;
}

const limit = { maxBytes: 200 };
const cut = capToolResult<Result>({ content: "a".repeat(1_000), isError: true }, limit);

describe("prependContent", () => {
  it("C10: puts exactly the text in front, and leaves every other field alone", () => {
    const result = { toolName: "Read", content: "b", isError: true };
    expect(prependContent(result, "a\n", limit)).toEqual({ toolName: "Read", content: "a\nb", isError: true });
    expect(result.content).toBe("b");
  });

  it("C10: an absent content is an empty one", () => {
    expect(prependContent<Result>({ isError: false }, "a", limit)).toEqual({ isError: false, content: "a" });
  });

  it("C10: an empty text changes nothing", () => {
    expect(prependContent(cut, "", limit)).toBe(cut);
    const absent: Result = {};
    expect(prependContent(absent, "", limit)).toBe(absent);
  });

  it("C10: a record that does not match is dropped, and its marker is content", () => {
    const forged = { ...cut, truncation: { maxBytes: 200, originalBytes: 1_001, keptBytes: 149, droppedBytes: 852 } };
    expect(prependContent(forged, "b", { maxBytes: 300 })).toEqual({ content: `b${cut.content}`, isError: true });
  });

  it("C10: at a higher limit the head that was kept stays whole", () => {
    expect(prependContent(cut, "b".repeat(50), { maxBytes: 300 })).toEqual({
      content: `${"b".repeat(50)}${"a".repeat(149)}\n\n${formatMarker(851)}`,
      isError: true,
      truncation: { maxBytes: 300, originalBytes: 1_050, keptBytes: 199, droppedBytes: 851 },
    });
  });

  it("C10: at a higher limit two ends keep their own, by which their marker is found", () => {
    const ends = capToolResult<Result>({ content: "a".repeat(1_000) }, { maxBytes: 200, keep: "ends" });
    expect(prependContent(ends, "b".repeat(50), { maxBytes: 300 })).toEqual(
      capToolResult<Result>({ content: "b".repeat(50) + "a".repeat(1_000) }, { maxBytes: 200, keep: "ends" }),
    );
  });

  it("C10: of a content that was removed, text and marker stand for it", () => {
    const removed: Result = {
      truncation: { maxBytes: 0, originalBytes: 900, keptBytes: 0, droppedBytes: 900, reason: "turn-budget" },
    };
    expect(prependContent(removed, "b".repeat(50), limit)).toEqual({
      content: `${"b".repeat(50)}\n\n${formatMarker(900)}`,
      truncation: { maxBytes: 200, originalBytes: 950, keptBytes: 50, droppedBytes: 900, reason: "turn-budget" },
    });
    expect(prependContent(removed, "b".repeat(500), limit).truncation).toEqual({
      maxBytes: 200,
      originalBytes: 1_400,
      keptBytes: 148,
      droppedBytes: 1_252,
    });
  });

  it("C10: a record with the largest number there is cannot grow, so it is dropped", () => {
    const droppedBytes = Number.MAX_SAFE_INTEGER - 1;
    const content = `a\n\n${formatMarker(droppedBytes)}`;
    const huge: Result = {
      content,
      truncation: { maxBytes: 200, originalBytes: Number.MAX_SAFE_INTEGER, keptBytes: 1, droppedBytes },
    };
    expect(prependContent(huge, "b", limit)).toEqual({ content: `b${content}` });
  });

  it("C1: a lone surrogate becomes U+FFFD, and a pair that meets is one character", () => {
    expect(prependContent({ content: "b" }, "\uD83D", limit)).toEqual({ content: "\uFFFDb" });
    expect(prependContent({ content: "\uDE00" }, "\uD83D", limit)).toEqual({ content: "😀" });
  });
});

describe("wrong arguments of prependContent", () => {
  it.each([undefined, null, 5, {}])("C7: a text of %s is a TypeError", (text) => {
    const wrong: unknown = text;
    expect(() => prependContent({}, wrong as string, limit)).toThrow(TypeError);
    expect(() => prependContent({}, wrong as string, limit)).toThrow(/^text: expected a string, received .*\. Write: /);
  });

  it("C7: what capToolResult refuses is refused, for an empty text too", () => {
    const wrong: unknown = null;
    for (const text of ["", "a"]) {
      expect(() => prependContent(wrong as Result, text, limit)).toThrow(/^result: expected an object/);
      expect(() => prependContent({}, text, { maxBytes: 0 })).toThrow(RangeError);
      expect(() => prependContent({}, text, wrong as OutputLimit)).toThrow(/^limit: expected an object/);
      expect(() => prependContent({ content: wrong as string }, text, limit)).toThrow(/^result\.content: /);
    }
  });
});
