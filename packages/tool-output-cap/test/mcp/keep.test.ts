import { describe, expect, it } from "vitest";
import { capText, formatMarker } from "../../src/index.js";
import { capCallToolResult } from "../../src/mcp.js";
import { countVisibleBytes } from "./visible-bytes.js";

const text = (text: string) => ({ type: "text", text });
const image = { type: "image", data: "AAAA", mimeType: "image/png" };
const lines = Array.from({ length: 400 }, (_, index) => `line ${index}\n`).join("");

describe.each(["head", "tail", "ends"] as const)("keep = %s", (keep) => {
  it("E1 E2: one block is cut as its text is, with one byte for the block", () => {
    const { content } = capCallToolResult({ content: [text(lines)] }, { maxBytes: 501, keep });
    const { truncation } = capText(lines, { maxBytes: 500, keep });
    expect(content[0]?.text).toContain(formatMarker(truncation?.droppedBytes ?? 0));
    expect(content).toHaveLength(1);
    expect(content[0]?.text).toBe(capText(lines, { maxBytes: 500, keep }).text);
  });

  it("E2: the record says what was kept", () => {
    const capped = capCallToolResult({ content: [text(lines)] }, { maxBytes: 501, keep });
    const record: object = { maxBytes: 501, ...(keep !== "head" && { keep }), droppedBlocks: 0 };
    expect(capped).toMatchObject({ _meta: { "pod/truncation": { content: record } } });
  });

  it("E4: media stay where they stood", () => {
    const content = [image, text(lines), image, text(lines), image];
    const capped = capCallToolResult({ content }, { maxBytes: 1_000, keep });
    expect(capped.content.filter(({ type }) => type === "image")).toHaveLength(3);
    expect(countVisibleBytes(capped.content)).toBeLessThanOrEqual(1_000);
  });
});

describe("blocks", () => {
  const content = [text("a".repeat(300)), text("b".repeat(300)), text("c".repeat(300))];

  it("E1 E2: tail keeps the last, and the marker stands before them", () => {
    const capped = capCallToolResult({ content }, { maxBytes: 400, keep: "tail" });
    expect(capped.content).toEqual([text(`${formatMarker(554)}\n\n${"b".repeat(47)}`), content[2]]);
    expect(countVisibleBytes(capped.content)).toBe(400);
  });

  it("E1 E2: ends keeps the first and the last, and the marker stands between them", () => {
    const capped = capCallToolResult({ content }, { maxBytes: 750, keep: "ends" });
    expect(capped.content).toEqual([
      content[0],
      text(expect.stringMatching(/^b{47}\n\n\[truncated: \d+ bytes dropped, refine your query\]\n\nb{47}$/)),
      content[2],
    ]);
  });

  it("E2: between texts of other kinds the marker has a block of its own", () => {
    const resource = (uri: string) => ({ type: "resource", resource: { uri, text: "r".repeat(500) } });
    const capped = capCallToolResult({ content: [resource("a:b"), resource("c:d")] }, { maxBytes: 400, keep: "ends" });
    expect(capped.content.map(({ type }) => type)).toEqual(["resource", "text", "resource"]);
    expect(countVisibleBytes(capped.content)).toBeLessThanOrEqual(400);
  });

  it("E1: a resource link loses the end of its description, and keeps its name and URI", () => {
    const link = { type: "resource_link", name: "n", uri: "file:///n", description: "d".repeat(500), size: 5 };
    const capped = capCallToolResult({ content: [link] }, { maxBytes: 200 });
    expect(capped.content).toEqual([{ ...link, description: "d".repeat(138) }, text(formatMarker(362))]);
    expect(countVisibleBytes(capped.content)).toBeLessThanOrEqual(200);
  });

  it("E3: structured texts are cut from the same end", () => {
    const cut = (keep: "tail" | "ends") =>
      capCallToolResult({ structuredContent: { log: "0123456789".repeat(10) } }, { maxBytes: 31, keep })
        .structuredContent.log;
    expect(cut("tail")).toBe(`9${"0123456789".repeat(2)}`);
    expect(cut("ends")).toBe("012345678…123456789");
  });
});
