import { describe, expect, it } from "vitest";
import { formatMarker } from "../../src/index.js";
import { capCallToolResult } from "../../src/mcp.js";
import { countVisibleBytes } from "./visible-bytes.js";

const limit = { maxBytes: 16_384 };
const text = (text: string) => ({ type: "text", text });

describe("text", () => {
  it("E1 E2: one block is cut as a text is, with one byte for the block", () => {
    const capped = capCallToolResult({ content: [text("a".repeat(125_000))] }, limit);
    expect(capped).toEqual({
      content: [text(`${"a".repeat(16_329)}\n\n${formatMarker(108_671)}`)],
      _meta: {
        "pod/truncation": {
          content: {
            maxBytes: 16_384,
            originalBytes: 125_001,
            keptBytes: 16_330,
            droppedBytes: 108_671,
            droppedBlocks: 0,
          },
        },
      },
    });
  });

  it("E1 E2: blocks share one budget; what gets no room is dropped and counted, and the marker comes once", () => {
    const content = [text("a".repeat(10_000)), text("b".repeat(10_000)), text("c".repeat(10_000))];
    const capped = capCallToolResult({ content }, limit);
    expect(capped.content).toHaveLength(2);
    expect(capped.content[0]).toBe(content[0]);
    expect(countVisibleBytes(capped.content)).toBe(16_384);
    expect(JSON.stringify(capped.content).match(/truncated: /g)).toHaveLength(1);
    expect(capped).toMatchObject({ _meta: { "pod/truncation": { content: { droppedBlocks: 1 } } } });
  });

  it("E1 E7: ten thousand blocks of two bytes", () => {
    const content = Array.from({ length: 10_000 }, () => text("ab"));
    const capped = capCallToolResult({ content }, limit);
    expect(countVisibleBytes(capped.content)).toBeLessThanOrEqual(16_384);
    expect(countVisibleBytes(capped.content)).toBeGreaterThan(16_384 - 3);
    expect(capped.content.slice(0, -1)).toEqual(content.slice(0, capped.content.length - 1));
    expect(capped.content.at(-1)?.text).toMatch(/^a\n\n\[truncated: \d+ bytes dropped, refine your query\]$/);
  });

  it("E1 E7: one block of 50 MB", () => {
    const capped = capCallToolResult({ content: [text("a".repeat(50_000_000))] }, limit);
    expect(countVisibleBytes(capped.content)).toBe(16_384);
    expect(capped.content[0]?.text).toMatch(/a\n\n\[truncated: 49983673 bytes dropped, refine your query\]$/);
  });

  it("E1: a limit that has no room for a block leaves none", () => {
    expect(capCallToolResult({ content: [text("ab")] }, { maxBytes: 1 }).content).toEqual([]);
  });

  it("E5: empty blocks of the server's own go where anything is cut", () => {
    const content = [text(""), text("a".repeat(20_000)), text("")];
    expect(capCallToolResult({ content }, limit).content).toHaveLength(1);
  });
});

describe("media and binary", () => {
  const image = (bytes: number, mimeType = "image/png") => ({ type: "image", data: "A".repeat(bytes), mimeType });

  it("E4: an image of 5 MiB passes whole beside a text that is cut", () => {
    const content = [text("a".repeat(20_000)), image(5_242_880)];
    const capped = capCallToolResult({ content }, limit);
    expect(capped.content[1]).toBe(content[1]);
    expect(countVisibleBytes(capped.content)).toBe(16_384);
  });

  it("E4: a larger one becomes a text that says what it was and how large", () => {
    expect(capCallToolResult({ content: [image(5_242_884)] }, limit).content).toEqual([
      text("[image left out: image/png, 5242884 bytes of base64]"),
    ]);
    expect(capCallToolResult({ content: [image(8)] }, limit, { maxMediaBytes: 4 }).content).toEqual([
      text("[image left out: image/png, 8 bytes of base64]"),
    ]);
  });

  it("E4: another type counts as text, and becomes one where it does not fit", () => {
    const small = { content: [image(100, "application/pdf")] };
    expect(capCallToolResult(small, limit)).toBe(small);
    expect(capCallToolResult({ content: [image(20_000, "application/pdf")] }, limit).content).toEqual([
      text("[image left out: application/pdf, 20000 bytes of base64]"),
      text(formatMarker(20_001 - 57)),
    ]);
  });

  it("E4: a blob that does not fit becomes a text, and what follows stays", () => {
    const blob = { type: "resource", resource: { uri: "file:///a.bin", blob: "A".repeat(40_000) } };
    const capped = capCallToolResult({ content: [blob, text("after")] }, limit);
    expect(capped.content).toEqual([
      text("[resource left out: file:///a.bin, 40000 bytes of base64]"),
      text("after"),
      text(formatMarker(40_014 - 58)),
    ]);
  });
});

describe("structured content", () => {
  const shrink = (structuredContent: unknown) => {
    const capped = capCallToolResult({ content: [], structuredContent }, limit);
    expect(Buffer.byteLength(JSON.stringify(capped.structuredContent))).toBeLessThanOrEqual(16_384);
    return capped.structuredContent;
  };

  it("E3: the longest arrays are shortened from the end, and all else stays", () => {
    const items = Array.from({ length: 5_000 }, (_, index) => ({ name: `file-${index}`, tags: ["a", "b"] }));
    const capped = shrink({ total: 5_000, items, note: "short" });
    const kept = (capped as { items: unknown[] }).items;
    expect(capped).toEqual({ total: 5_000, items: items.slice(0, kept.length), note: "short" });
    expect(
      JSON.stringify({ total: 5_000, items: items.slice(0, kept.length + 1), note: "short" }).length,
    ).toBeGreaterThan(16_384);
  });

  it("E3: where that is not enough the longest texts are cut", () => {
    const capped = shrink({ content: "line\n".repeat(20_000), path: "/a/b", tags: ["a", "b"] });
    expect(capped).toEqual({ content: expect.stringMatching(/^(line\n)+/), path: "/a/b", tags: ["a", "b"] });
    expect(JSON.stringify(capped).length).toBeGreaterThan(16_380);
  });

  it("E3 E7: then the last members of the largest objects go: a map of twenty thousand numbers", () => {
    const entries = Array.from({ length: 20_000 }, (_, index) => [`key-${index}`, index] as const);
    const capped = shrink({ map: Object.fromEntries(entries) });
    const kept = Object.keys((capped as { map: object }).map).length;
    expect(capped).toEqual({ map: Object.fromEntries(entries.slice(0, kept)) });
    expect(kept).toBeGreaterThan(900);
  });

  it("E3 E7: twenty thousand nested arrays end early", () => {
    const nested: unknown = JSON.parse("[".repeat(20_000) + "]".repeat(20_000));
    expect(JSON.stringify(shrink({ nested }))).toMatch(/^\{"nested":\[+\]+\}$/);
  });

  it("E3: is never omitted, down to {}", () => {
    expect(capCallToolResult({ structuredContent: { a: 1 } }, { maxBytes: 1 })).toMatchObject({
      structuredContent: {},
    });
  });

  it("E3: a member named __proto__ is a member", () => {
    const value: unknown = JSON.parse(`{ "__proto__": { "x": 1 }, "text": ${JSON.stringify("a".repeat(20_000))} }`);
    expect(JSON.stringify(shrink(value))).toContain('"__proto__":{"x":1}');
  });
});
