import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capCallToolResult, capJsonRpcError, JsonNumber } from "../../src/mcp.js";
import { countVisibleBytes } from "./visible-bytes.js";

const limit = { maxBytes: 200 };
const long = "a".repeat(1_000);

function fail(): never {
  throw new Error("not to be read");
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function cycle(): object {
  const object: Record<string, unknown> = { long };
  object.self = { again: object };
  return object;
}

const odd: readonly [string, () => unknown][] = [
  ["undefined", () => undefined],
  ["null", () => null],
  ["a text", () => long],
  ["a number", () => 5],
  ["a bigint", () => 10n ** 400n],
  ["a list", () => [long, long]],
  ["a getter that throws", () => Object.defineProperty({ long }, "other", { enumerable: true, get: fail })],
  ["a revoked proxy", revoked],
  ["a proxy that refuses", () => new Proxy({}, { ownKeys: fail, get: fail })],
  ["a cycle", cycle],
  ["a toJSON that throws", () => ({ long, toJSON: fail })],
  ["a date", () => ({ long, date: new Date(0) })],
  ["functions and symbols", () => ({ long, call: fail, mark: Symbol("s") })],
  ["a sparse list", () => [long, ...Array(3)]],
];

describe.each(odd)("%s", (_name, make) => {
  it.each(["content", "structuredContent", "_meta", "isError"])("E5: as %s makes nothing throw", (field) => {
    const capped: Record<string, unknown> = capCallToolResult({ [field]: make() }, limit);
    if (field === "_meta" || field === "isError") return;
    expect(Buffer.byteLength(JSON.stringify(capped[field] ?? null))).toBeLessThanOrEqual(400);
  });

  it("E5: as a block makes nothing throw", () => {
    const { content } = capCallToolResult({ content: [make(), { type: "text", text: make() }] }, limit);
    expect(countVisibleBytes(content)).toBeLessThanOrEqual(200);
  });

  it("E5: as a result makes nothing throw", () => {
    expect(() => capCallToolResult(make(), limit)).not.toThrow();
  });

  it("E6: as an error, or in one, makes nothing throw", () => {
    capJsonRpcError(make(), limit);
    const { data } = capJsonRpcError({ data: make(), message: make() }, limit);
    expect(Buffer.byteLength(JSON.stringify(data ?? null))).toBeLessThanOrEqual(204);
  });
});

describe("malformed results", () => {
  it("E5: absent content stays absent", () => {
    expect("content" in capCallToolResult({ structuredContent: { long } }, limit)).toBe(false);
  });

  it("E5: content that is no list is capped as structured content is", () => {
    expect(capCallToolResult({ content: long }, limit)).toEqual({
      content: "a".repeat(198),
      _meta: {
        "pod/truncation": { content: { maxBytes: 200, originalBytes: 1_002, keptBytes: 200, droppedBytes: 802 } },
      },
    });
  });

  it("E1: a block of an unknown kind counts by its JSON, and stays whole or goes", () => {
    const block = { type: "chart", points: [1, 2, 3] };
    const fits = { content: [block] };
    expect(capCallToolResult(fits, { maxBytes: JSON.stringify(block).length + 1 })).toBe(fits);
    expect(capCallToolResult(fits, { maxBytes: JSON.stringify(block).length }).content).toEqual([
      { type: "text", text: "[truncated]" },
    ]);
  });

  it("E5: a _meta that is no object is left for its receiver to refuse", () => {
    expect(capCallToolResult({ structuredContent: { long }, _meta: "x" }, limit)._meta).toBe("x");
  });

  it("E5: fields of _meta and of blocks are kept", () => {
    const block = { type: "text", text: long, annotations: { priority: 1 }, _meta: { x: 1 } };
    const capped = capCallToolResult({ content: [block], _meta: { y: 1 } }, limit);
    expect(capped.content).toEqual([{ ...block, text: expect.any(String) }]);
    expect(capped._meta).toEqual({ y: 1, "pod/truncation": expect.anything() });
  });
});

describe("numbers with digits of their own", () => {
  it("E3: stay as they are, and count by their digits", () => {
    const numbers = ["9007199254740993", "1e400", "1.10"].map((source) => new JsonNumber(source));
    const structuredContent = { numbers, long };
    const capped = capCallToolResult({ structuredContent }, limit).structuredContent;
    expect(capped.numbers).toEqual(numbers);
    expect(JSON.stringify({ ...capped, numbers: [] }).length + "9007199254740993,1e400,1.10".length).toBe(200);
  });

  it("E3: one of more digits than the limit has bytes goes with its member", () => {
    const structuredContent = { a: 1, big: new JsonNumber("9".repeat(500)) };
    expect(capCallToolResult({ structuredContent }, limit).structuredContent).toEqual({ a: 1 });
  });
});

describe("wrong arguments", () => {
  it.each([0, -1, 1.5, Number.NaN, 2 ** 31])("C7 E5: a limit of %s is a RangeError", (maxBytes) => {
    expect(() => capCallToolResult({}, { maxBytes })).toThrow(/^limit\.maxBytes: expected an integer/);
    expect(() => capJsonRpcError({}, { maxBytes })).toThrow(RangeError);
  });

  it.each([-1, 1.5, Number.NaN, 2 ** 31])("E4: media of at most %s bytes are a RangeError", (maxMediaBytes) => {
    expect(() => capCallToolResult({}, limit, { maxMediaBytes })).toThrow(
      /^options\.maxMediaBytes: expected an integer .*\. Write: /,
    );
  });
});

it("E5: any value at all, as a result, makes nothing throw", () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }), (value) => {
      capCallToolResult(value, limit);
      capCallToolResult({ content: value, structuredContent: value }, limit);
      capCallToolResult({ content: [value] }, limit);
    }),
    { numRuns: process.env.CI ? 10_000 : 1_000 },
  );
});
