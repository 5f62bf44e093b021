import { describe, expect, it } from "vitest";
import { capText, capToolResult, formatMarker, type OutputLimit, type Truncation } from "../src/index.js";
import { EXACT_VALUES } from "./exact-values.js";

describe("keep: tail", () => {
  it.each(EXACT_VALUES)(
    "C2: %i bytes at a limit of %i keep the last %i and drop %i",
    (originalBytes, maxBytes, keptBytes, droppedBytes) => {
      const text = "x".repeat(droppedBytes) + "a".repeat(keptBytes);
      expect(capText(text, { maxBytes, keep: "tail" })).toEqual({
        text: `${formatMarker(droppedBytes)}\n\n${"a".repeat(keptBytes)}`,
        truncation: { maxBytes, originalBytes, keptBytes, droppedBytes, keep: "tail" },
      });
    },
  );

  it.each([
    [52, `${formatMarker(999)}\n\na`, 1],
    [51, `[truncated]${"a".repeat(40)}`, 40],
    [11, "[truncated]", 0],
    [10, "a".repeat(10), 10],
    [1, "a", 1],
  ])("C4: at %i bytes", (maxBytes, text, keptBytes) => {
    const truncation = { maxBytes, originalBytes: 1_000, keptBytes, droppedBytes: 1_000 - keptBytes, keep: "tail" };
    expect(capText("x".repeat(900) + "a".repeat(100), { maxBytes, keep: "tail" })).toEqual({ text, truncation });
  });

  it("C2: a pair at the cut goes whole, and half of one becomes U+FFFD", () => {
    const [pair, half] = ["😀", "\uDE00"].map((end) => `${"a".repeat(90)}${end}${"b".repeat(7)}`);
    expect(capText(pair ?? "", { maxBytes: 10, keep: "tail" }).text).toBe("b".repeat(7));
    expect(capText(half ?? "", { maxBytes: 10, keep: "tail" }).text).toBe(`\uFFFD${"b".repeat(7)}`);
  });
});

describe("keep: ends", () => {
  const text = `${"s".repeat(500)}${"e".repeat(500)}`;

  // 50 bytes of marker and newlines, 4 digits of the text's size, and the rest halved: the end has the odd byte.
  it.each([
    [200, 73, 73, 854],
    [201, 73, 74, 853],
    [55, 0, 1, 999],
    [56, 1, 1, 998],
  ])("C2: at %i bytes the first %i and the last %i stay", (maxBytes, startBytes, endBytes, droppedBytes) => {
    expect(capText(text, { maxBytes, keep: "ends" })).toEqual({
      text: `${"s".repeat(startBytes)}\n\n${formatMarker(droppedBytes)}\n\n${"e".repeat(endBytes)}`,
      truncation: { maxBytes, originalBytes: 1_000, keptBytes: startBytes + endBytes, droppedBytes, keep: "ends" },
    });
  });

  // Mutant seen to fail: room of 0 taken for room.
  it.each([54, 53, 52, 51, 12, 11, 10, 1])("C4: at %i bytes it is cut as its head would be", (maxBytes) => {
    const head = capText(text, { maxBytes });
    expect(capText(text, { maxBytes, keep: "ends" })).toEqual({
      text: head.text,
      truncation: { ...head.truncation, keep: "ends" },
    });
  });

  it("C5: a cut between two ends becomes one of the head where the room goes", () => {
    const cut = capToolResult<{ content?: string; truncation?: Truncation }>(
      { content: text },
      { maxBytes: 64, keep: "ends" },
    );
    expect(cut.content).toBe(`${"s".repeat(5)}\n\n${formatMarker(990)}\n\n${"e".repeat(5)}`);
    const again = capToolResult(cut, { maxBytes: 40 });
    expect(again.content).toBe("sssss[truncated]");
    expect(again.truncation).toEqual({
      maxBytes: 40,
      originalBytes: 1_000,
      keptBytes: 5,
      droppedBytes: 995,
      keep: "ends",
    });
    expect(capToolResult(again, { maxBytes: 12 }).content).toBe("s[truncated]");
  });

  it("C8: a marker with the same count in what is kept is text", () => {
    const imitation = `${"a".repeat(30)}\n\n${formatMarker(875)}\n\n`;
    const poisoned = imitation + "b".repeat(1_050 - 2 * imitation.length) + imitation;
    const cut = capToolResult<{ content?: string; truncation?: Truncation }>(
      { content: poisoned },
      { maxBytes: 228, keep: "ends" },
    );
    expect(cut.truncation?.droppedBytes).toBe(876);
    const exact = capToolResult({ content: poisoned.slice(1) }, { maxBytes: 228, keep: "ends" });
    for (const result of [cut, exact]) {
      const again = capToolResult(result, { maxBytes: 150 });
      const original = result === cut ? poisoned : poisoned.slice(1);
      expect(again).toEqual(capToolResult({ content: original }, { maxBytes: 150, keep: "ends" }));
    }
  });
});

describe("keep: head", () => {
  it("C2: is what an absent keep means, and leaves no word in the record", () => {
    const text = "a".repeat(1_000);
    expect(capText(text, { maxBytes: 200, keep: "head" })).toEqual(capText(text, { maxBytes: 200 }));
    expect(capText(text, { maxBytes: 200 }).truncation).not.toHaveProperty("keep");
  });
});

describe("a keep that is none", () => {
  it.each([null, "", "Tail", "middle", 0, true, ["tail"]])(
    "C7: %j is a RangeError, for a text that fits too",
    (keep) => {
      const wrong: unknown = { maxBytes: 200, keep };
      const limit = wrong as OutputLimit;
      for (const attempt of [() => capText("", limit), () => capToolResult({}, limit)]) {
        expect(attempt).toThrow(RangeError);
        expect(attempt).toThrow(/^limit\.keep: expected "head", "tail" or "ends", received .*\. Write: keep: "tail"$/);
      }
    },
  );
});
