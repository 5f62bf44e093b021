import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { capCallToolResult } from "../../src/mcp.js";
import { arbitraryResult } from "./arbitrary-result.js";
import { countVisibleBytes } from "./visible-bytes.js";

const runs = { numRuns: process.env.CI ? 10_000 : 1_000 };

interface Result {
  readonly content?: readonly object[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly unknownField?: unknown;
}

const resultAndLimit = arbitraryResult().chain((result: Result) =>
  fc
    .oneof(
      fc.constantFrom(1, 2, 11, 12, 60, 61, 128, 16_000),
      fc.integer({ min: 1, max: 3_000 }),
      fc.nat(6).map((more) => Math.max(1, countVisibleBytes(result.content ?? []) - 3 + more)),
      fc.nat(6).map((more) => Math.max(1, jsonBytes(result.structuredContent) - 3 + more)),
    )
    .map((maxBytes) => ({ result, maxBytes })),
);

it("E1 E3: any result is within the limit in both forms", () => {
  check(({ result, maxBytes }) => {
    const capped = capCallToolResult(result, { maxBytes });
    expect(countVisibleBytes(capped.content ?? [])).toBeLessThanOrEqual(maxBytes);
    if (result.structuredContent === undefined) expect("structuredContent" in capped).toBe(false);
    else expect(jsonBytes(capped.structuredContent)).toBeLessThanOrEqual(Math.max(2, maxBytes));
  });
});

it("E5: any result stays valid, as the SDK's own schema sees it", () => {
  check(({ result, maxBytes }) => {
    fc.pre(CallToolResultSchema.safeParse(result).success);
    expect(CallToolResultSchema.safeParse(capCallToolResult(result, { maxBytes })).error).toBeUndefined();
  });
});

it("E5: what was capped comes back as the same object", () => {
  check(({ result, maxBytes }) => {
    const capped = capCallToolResult(result, { maxBytes });
    if (maxBytes >= 2) expect(capCallToolResult(capped, { maxBytes })).toBe(capped);
  });
});

it("E5: the same object comes back exactly where all is well-formed and within the limit", () => {
  check(({ result, maxBytes }) => {
    const { content = [], structuredContent } = result;
    const fits = countVisibleBytes(content) <= maxBytes && jsonBytes(structuredContent) <= maxBytes;
    const isWellFormed = !/\\ud[89a-f]/.test(JSON.stringify({ content, structuredContent }));
    fc.pre(isWellFormed || !fits);
    expect(capCallToolResult(result, { maxBytes }) === result).toBe(fits);
  });
});

it("E5: isError and unknown fields are kept", () => {
  check(({ result, maxBytes }) => {
    const { isError, unknownField } = capCallToolResult(result, { maxBytes });
    expect({ isError, unknownField }).toEqual({ isError: result.isError, unknownField: result.unknownField });
  });
});

it("E5: every text is well-formed, and no text block is empty where anything was cut", () => {
  check(({ result, maxBytes }) => {
    const capped = capCallToolResult(result, { maxBytes });
    expect(JSON.stringify([capped.content, capped.structuredContent])).not.toMatch(/\\ud[89a-f]/);
    if (capped.content === result.content) return;
    for (const block of capped.content ?? []) {
      if ("text" in block && countVisibleBytes(result.content ?? []) > maxBytes) expect(block.text).not.toBe("");
    }
  });
});

function check(law: (value: { readonly result: Result; readonly maxBytes: number }) => void): void {
  fc.assert(fc.property(resultAndLimit, law), runs);
}

function jsonBytes(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}
