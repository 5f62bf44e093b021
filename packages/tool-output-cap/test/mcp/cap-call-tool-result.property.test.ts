import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type CallToolResultTruncation, capCallToolResult } from "../../src/mcp.js";
import { arbitraryResult } from "./arbitrary-result.js";
import { expectPart } from "./expect-part.js";
import { countVisibleBytes } from "./visible-bytes.js";

const runs = { numRuns: process.env.CI ? 3_000 : 300 };

interface Result {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly unknownField?: unknown;
  readonly _meta?: { readonly "pod/truncation"?: CallToolResultTruncation };
}

interface Case {
  readonly result: Result;
  readonly limit: { readonly maxBytes: number; readonly keep: "head" | "tail" | "ends" };
}

// Limits at the edges: of the marker, and of what the result has in either form.
const cases: fc.Arbitrary<Case> = arbitraryResult().chain((result: Result) => {
  const near = (bytes: number) => fc.integer({ min: -3, max: 3 }).map((more) => Math.max(1, bytes + more));
  const maxBytes = fc.oneof(
    fc.constantFrom(1, 2, 11, 12, 60, 61, 128, 16_000),
    fc.integer({ min: 1, max: 3_000 }),
    near(countVisibleBytes(result.content ?? [])),
    near(jsonBytes(result.structuredContent)),
  );
  const keep = fc.constantFrom("head" as const, "tail" as const, "ends" as const);
  return fc.record({ result: fc.constant(result), limit: fc.record({ maxBytes, keep }) });
});

// Mutants seen to fail: the byte of a block not counted; the URI of a resource not counted; a key counted without its colon.
it("E1 E3: any result is within the limit in both forms", () => {
  check(({ result, limit }) => {
    const capped = capCallToolResult(result, limit);
    expect(countVisibleBytes(capped.content ?? [])).toBeLessThanOrEqual(limit.maxBytes);
    if (result.structuredContent === undefined) expect("structuredContent" in capped).toBe(false);
    else expect(jsonBytes(capped.structuredContent)).toBeLessThanOrEqual(Math.max(2, limit.maxBytes));
  });
});

// Mutant seen to fail: kept blocks counted without their byte.
it("E2: the record adds up, from what was there to what stays, and the marker says the same", () => {
  check(({ result, limit }) => {
    const capped = capCallToolResult(result, limit);
    const record = capped._meta?.["pod/truncation"]?.content;
    if (record === undefined) return;
    const before = countVisibleBytes(result.content ?? []);
    expect(record.originalBytes).toBe(before);
    expect(record.keptBytes + record.droppedBytes).toBe(before);
    const marker = `[truncated: ${record.droppedBytes} bytes dropped, refine your query]`;
    const marked = capped.content?.filter(({ type, text }) => type === "text" && text?.includes(marker)) ?? [];
    if (limit.maxBytes > 60) expect(marked.length).toBeGreaterThan(0);
    const gapBytes = countVisibleBytes(capped.content ?? []) - record.keptBytes;
    expect(gapBytes).toBeLessThanOrEqual(marker.length + 4);
  });
});

// Mutant seen to fail: the last members stay, not the first.
it("E3: what stays of structured content is its beginning, at every depth", () => {
  check(({ result, limit }) => {
    fc.pre(JSON.stringify(result.structuredContent ?? 0).isWellFormed() && !hasIllFormedKey(result.structuredContent));
    const { structuredContent } = capCallToolResult(result, { maxBytes: limit.maxBytes });
    if (structuredContent !== undefined) expectPart(structuredContent, result.structuredContent);
  });
});

// Mutant seen to fail: `structuredContent` of null where `{}` does not fit.
it("E5: any valid result stays valid, as the SDK's own schema sees it", () => {
  check(({ result, limit }) => {
    fc.pre(CallToolResultSchema.safeParse(result).success);
    expect(CallToolResultSchema.safeParse(capCallToolResult(result, limit)).error).toBeUndefined();
  });
});

it("E5: what was capped comes back as the same object", () => {
  check(({ result, limit }) => {
    const capped = capCallToolResult(result, limit);
    // Nothing is smaller than {}.
    if (limit.maxBytes >= 2) expect(capCallToolResult(capped, limit)).toBe(capped);
  });
});

// Mutants seen to fail: `<` for `<=`; a copy of content that fits.
it("E5: the same object comes back exactly where all is well-formed and within the limit", () => {
  check(({ result, limit }) => {
    const { content = [], structuredContent } = result;
    const fits = countVisibleBytes(content) <= limit.maxBytes && jsonBytes(structuredContent) <= limit.maxBytes;
    fc.pre(!fits || !/\\ud[89a-f]/.test(JSON.stringify({ content, structuredContent })));
    expect(capCallToolResult(result, limit) === result).toBe(fits);
  });
});

// Mutant seen to fail: only what was cut is in the copy.
it("E5: isError and unknown fields are kept", () => {
  check(({ result, limit }) => {
    const { isError, unknownField } = capCallToolResult(result, limit);
    expect({ isError, unknownField }).toEqual({ isError: result.isError, unknownField: result.unknownField });
  });
});

// Mutant seen to fail: empty blocks of the server stay.
it("E5: every text is well-formed, and a cut leaves no empty text block", () => {
  check(({ result, limit }) => {
    const capped = capCallToolResult(result, limit);
    expect(JSON.stringify([capped.content, capped.structuredContent])).not.toMatch(/\\ud[89a-f]/);
    if (countVisibleBytes(result.content ?? []) <= limit.maxBytes) return;
    for (const { type, text } of capped.content ?? []) if (type === "text") expect(text).not.toBe("");
  });
});

function check(law: (value: Case) => void): void {
  fc.assert(fc.property(cases, law), runs);
}

function jsonBytes(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

function hasIllFormedKey(value: unknown): boolean {
  return /\\ud[89a-f][^"]*":/.test(JSON.stringify(value ?? null));
}
