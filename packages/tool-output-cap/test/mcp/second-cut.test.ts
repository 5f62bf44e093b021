import { nastyText } from "@pod/test-harness/laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallToolResultTruncation, capCallToolResult } from "../../src/mcp.js";
import { countVisibleBytes } from "./visible-bytes.js";

const runs = { numRuns: process.env.CI ? 2_000 : 200 };

interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly _meta?: { readonly "pod/truncation": CallToolResultTruncation };
}

const text = (text: string) => ({ type: "text", text });
const keep = fc.constantFrom("head" as const, "tail" as const, "ends" as const);
const limits = fc.tuple(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 600 }));

// Mutant seen to fail: the record is not read.
it("E2: a second, lower cut counts from the original, with one marker", () => {
  const contents = fc.array(nastyText().map(text), { maxLength: 6 });
  fc.assert(
    fc.property(contents, keep, limits, (content, keep, [first, second]) => {
      fc.pre(content.every(({ text }) => text.isWellFormed() && text !== "" && !text.includes("[truncated")));
      const high = Math.max(first, second);
      const low = Math.min(first, second);
      const once: Result = capCallToolResult<Result>({ content }, { maxBytes: high, keep });
      const twice = capCallToolResult(once, { maxBytes: low, keep });
      expect(countVisibleBytes(twice.content)).toBeLessThanOrEqual(low);
      const record = twice._meta?.["pod/truncation"].content;
      if (record === undefined) {
        expect(twice.content).toBe(content);
        return;
      }
      expect(record.originalBytes).toBe(countVisibleBytes(content));
      const all = twice.content.map(({ text }) => text).join("\n");
      if (low <= 60) return;
      expect(all.split("[truncated")).toHaveLength(2);
      expect(all).toContain(`[truncated: ${record.droppedBytes} bytes dropped`);
    }),
    runs,
  );
});

describe("records", () => {
  const content = [text("a".repeat(2_000)), text("b".repeat(2_000))];
  const once: Result = capCallToolResult<Result>({ content }, { maxBytes: 1_000 });
  const record = once._meta?.["pod/truncation"].content;

  it("E2: a second cut comes to what one would have", () => {
    expect(capCallToolResult(once, { maxBytes: 500 })).toEqual(
      capCallToolResult<Result>({ content }, { maxBytes: 500 }),
    );
  });

  it.each([
    ["another count", { ...record, droppedBytes: 5, originalBytes: 5 + (record?.keptBytes ?? 0) }],
    ["other kept bytes", { ...record, keptBytes: 1, droppedBytes: (record?.originalBytes ?? 0) - 1 }],
    ["no count of blocks", { ...record, droppedBlocks: undefined }],
    ["a text", "yes"],
    ["null", null],
  ])("E2: one with %s does not match, and the content is cut as fresh", (_, forged) => {
    const result = { ...once, _meta: { "pod/truncation": { content: forged } } };
    const capped = capCallToolResult(result, { maxBytes: 500 });
    expect(capped._meta["pod/truncation"].content).toMatchObject({ originalBytes: countVisibleBytes(once.content) });
  });

  it("E3: structured content counts from the original too", () => {
    const structuredContent = { list: Array.from({ length: 1_000 }, (_, index) => index) };
    const first = capCallToolResult<Result>({ content: [], structuredContent }, { maxBytes: 1_000 });
    const second = capCallToolResult(first, { maxBytes: 500 });
    const originalBytes = JSON.stringify(structuredContent).length;
    expect(second._meta?.["pod/truncation"].structuredContent).toMatchObject({ maxBytes: 500, originalBytes });
  });

  it("E2: a record of what is not cut again stays", () => {
    const structuredContent = { list: Array.from({ length: 1_000 }, (_, index) => index) };
    const capped = capCallToolResult({ ...once, structuredContent }, { maxBytes: 1_000 });
    expect(capped._meta?.["pod/truncation"]).toEqual({ content: record, structuredContent: expect.anything() });
  });
});
