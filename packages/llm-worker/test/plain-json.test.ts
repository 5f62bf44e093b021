import { describe, expect, it } from "vitest";
import { draftOutput } from "../src/draft.js";
import { contentToText, toPlainJson } from "../src/plain-json.js";
import { findJsonFaults } from "./support/json-faults.js";

const lone = "\uD800";

function fail(): never {
  throw new Error("not to be read");
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

class Point {
  readonly x = 1;
  readonly #secret = 2;
  get sum(): number {
    return this.x + this.#secret;
  }
}

const kinds: readonly (readonly [kind: string, value: unknown, text: string])[] = [
  ["null", null, "null"],
  ["a boolean", false, "false"],
  ["a number", 1.5, "1.5"],
  ["the largest number", Number.MAX_VALUE, "1.7976931348623157e+308"],
  ["a number beyond it", Number.MAX_VALUE * 2, "Infinity"],
  ["NaN", Number.NaN, "NaN"],
  ["-Infinity", Number.NEGATIVE_INFINITY, "-Infinity"],
  ["-0", -0, "0"],
  ["a bigint", 2n ** 70n, "1180591620717411303424"],
  ["a symbol", Symbol("secret"), "[symbol]"],
  ["a function", () => "secret", "[function]"],
  ["a class", Point, "[function]"],
  ["an object", { a: 1, b: { c: [true, null, "x"] } }, '{"a":1,"b":{"c":[true,null,"x"]}}'],
  ["members that are no JSON", { n: Number.NaN, b: 5n, u: undefined, z: -0 }, '{"n":"NaN","b":"5","z":0}'],
  ["items that are no JSON", [undefined, Number.NaN, 5n], '[null,"NaN","5"]'],
  ["an array with holes", Object.assign([], { 0: 1, 2: 3 }), "[1,null,3]"],
  ["a class's instance", new Point(), '{"x":1}'],
  ["a null prototype", Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  ["inherited members", Object.create({ a: 1 }), "{}"],
  ["hidden members", Object.defineProperty({ a: 1 }, "b", { value: 2 }), '{"a":1}'],
  ["members under symbols", { [Symbol("s")]: 1, a: 1 }, '{"a":1}'],
  ["a Date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ["a Date that is none", new Date(Number.NaN), "null"],
  ["a URL", new URL("file:///a"), "file:///a"],
  ["a Map from text", new Map<string, unknown>([["a", new Map([["b", 1]])]]), '{"a":{"b":1}}'],
  [
    "a Map from anything else",
    new Map<unknown, unknown>([
      [1, "a"],
      [{ k: 1 }, "b"],
    ]),
    '[[1,"a"],[{"k":1},"b"]]',
  ],
  ["a Set", new Set([1, "a", new Set()]), '[1,"a",[]]'],
  ["an error", new TypeError("no"), "TypeError: no"],
  [
    "boxed values",
    [Object("a"), Object(5), Object(false), Object(5n), Object(Symbol("s"))],
    '["a",5,false,"5","[symbol]"]',
  ],
  ["toJSON", { toJSON: () => ({ a: 1 }) }, '{"a":1}'],
  ["toJSON that returns a Buffer", { toJSON: () => Buffer.from("abc") }, "[binary: 3 bytes]"],
  ["toJSON that returns nothing", { toJSON: () => undefined }, "null"],
  ["toJSON that throws", { a: { toJSON: fail }, b: 1 }, '{"a":"[unreadable]","b":1}'],
  ["toJSON that is no function", { toJSON: 5, a: 1 }, '{"toJSON":5,"a":1}'],
  [
    "a getter that throws",
    {
      a: 1,
      get b() {
        return fail();
      },
      c: 2,
    },
    '{"a":1,"b":"[unreadable]","c":2}',
  ],
  ["a getter of an item that throws", Object.defineProperty([1, 2, 3], 1, { get: fail }), '[1,"[unreadable]",3]'],
  ["a Proxy", new Proxy({ a: 1 }, {}), '{"a":1}'],
  ["a Proxy of an array", new Proxy([1, 2], {}), "[1,2]"],
  [
    "a Proxy with traps that throw",
    { p: new Proxy({}, new Proxy({}, { get: fail })), a: 1 },
    '{"p":"[unreadable]","a":1}',
  ],
  [
    "a Proxy that was revoked",
    { o: revoked({}), a: revoked([]), b: 1 },
    '{"o":"[unreadable]","a":"[unreadable]","b":1}',
  ],
  ["a Promise", Promise.resolve(1), "{}"],
  ["lone surrogates", { [`k${lone}`]: `v${lone}` }, '{"k\uFFFD":"v\uFFFD"}'],
];

const binaries: readonly (readonly [kind: string, value: unknown, bytes: number])[] = [
  ["Buffer", Buffer.from("abcd"), 4],
  ["a part of a Buffer", Buffer.alloc(100).subarray(10, 15), 5],
  ["Uint8Array", new Uint8Array(3), 3],
  ["Float64Array", new Float64Array(3), 24],
  ["BigInt64Array", new BigInt64Array(2), 16],
  ["DataView", new DataView(new ArrayBuffer(8), 2), 6],
  ["ArrayBuffer", new ArrayBuffer(7), 7],
  ["SharedArrayBuffer", new SharedArrayBuffer(9), 9],
  ["Blob", new Blob(["abc"]), 3],
  ["one that is empty", new Uint8Array(0), 0],
];

describe("content that is not a string", () => {
  it.each(kinds)("W8: is text: %s", (_, value, text) => {
    expect(contentToText(value)).toBe(text);
    expect(draftOutput({ toolCallId: "c", toolName: "t" }, { summary: "s", content: value }).content).toBe(
      value === null ? undefined : text,
    );
  });

  // Mutant seen to fail: `length` for `byteLength`.
  it.each(binaries)("W8: is one line with its size where it is binary: %s", (_, value, bytes) => {
    expect(contentToText(value)).toBe(`[binary: ${bytes} bytes]`);
    expect(contentToText({ file: { data: [value] } })).toBe(`{"file":{"data":["[binary: ${bytes} bytes]"]}}`);
  });

  it.each(kinds.concat(binaries.map(([kind, value]) => [kind, value, ""])))(
    "W8 W9: becomes frozen, plain JSON, well-formed in keys and values: %s",
    (_, value) => {
      expect(findJsonFaults(toPlainJson({ value, list: [value] }))).toEqual([]);
    },
  );

  it("W8: has `__proto__` and `constructor` as members like any other, and pollutes nothing", () => {
    const parsed: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    const copy = toPlainJson(parsed);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(parsed));
    expect(Object.keys(copy ?? {})).toEqual(["__proto__", "constructor"]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("a graph", () => {
  it("W8: that comes back to itself says so there, and nowhere else", () => {
    const shared = { a: 1 };
    const cycle: Record<string, unknown> = { first: shared, second: shared };
    cycle.self = { deep: [cycle] };
    expect(contentToText(cycle)).toBe('{"first":{"a":1},"second":{"a":1},"self":{"deep":["[circular]"]}}');
    const map = new Map<string, unknown>();
    map.set("map", map);
    expect(contentToText(map)).toBe('{"map":"[circular]"}');
    const set = new Set<unknown>();
    set.add(set);
    expect(contentToText([set])).toBe('[["[circular]"]]');
  });

  it("W8: whose toJSON returns its own object shows its members", () => {
    const self = {
      a: 1,
      toJSON() {
        return this;
      },
    };
    expect(contentToText(self)).toBe('{"a":1,"toJSON":"[function]"}');
  });

  it("W8: whose toJSON returns ever new objects ends", () => {
    const next = (): unknown => ({ toJSON: next });
    expect(contentToText(next())).toBe("[nested too deeply]");
  });

  // Mutant seen to fail: no limit of depth.
  it("W8: of 100,000 levels ends at a depth that JSON can be written of", () => {
    const nest = (wrap: (inner: unknown) => unknown) => {
      let nested: unknown = "bottom";
      for (let level = 0; level < 100_000; level++) nested = wrap(nested);
      return contentToText(nested);
    };
    expect(nest((inner) => [inner])).toMatch(/^\[+"\[nested too deeply\]"\]+$/);
    expect(nest((inner) => ({ a: inner }))).toContain("[nested too deeply]");
    expect(nest((inner) => new Map([["a", inner]]))).toContain("[nested too deeply]");
    expect(nest((inner) => ({ toJSON: () => inner }))).toBe("[nested too deeply]");
  });

  it("W8: of 400 levels is whole", () => {
    const text = "[".repeat(400) + "]".repeat(400);
    expect(contentToText(JSON.parse(text))).toBe(text);
  });
});

describe("what stands for more than memory holds", () => {
  const valuesOf = (text: string) => text.split(",").length;

  // Mutant seen to fail: no limit of values.
  it("W8: ends after a million values: parts that share parts, 2^30 in all", () => {
    let shared: unknown = "leaf";
    for (let level = 0; level < 30; level++) shared = [shared, shared];
    const text = contentToText(shared);
    expect(text).toContain('"[more left out]"');
    expect(valuesOf(text)).toBeLessThanOrEqual(1_000_000);
  });

  it("W8: ends after a million values: a sparse array of 2^32 - 1", () => {
    const sparse: unknown[] = [];
    sparse.length = 2 ** 32 - 1;
    const text = contentToText(sparse);
    expect(text.endsWith('null,"[more left out]"]')).toBe(true);
    expect(valuesOf(text)).toBe(1_000_001);
  });

  // Mutant seen to fail: a member without a value costs nothing.
  it("W8: ends after a million values: members without a value, over and over", () => {
    const hollow = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, undefined]));
    const text = contentToText(Array.from({ length: 10_000_000 }, () => hollow));
    expect(valuesOf(text)).toBeLessThan(1_000);
    const map = new Map(Object.entries(hollow));
    expect(valuesOf(contentToText(Array.from({ length: 100_000 }, () => map)))).toBeLessThan(1_000);
  });

  // Mutants seen to fail: `for (const item of value)`; `[...map.keys()]`.
  it("W8: ends for a subclass whose iterator does not", () => {
    const endless = function* () {
      for (;;) yield "again";
    };
    const make = [() => [1], () => new Set([1]), () => new Map([["a", 1]])];
    const texts = make.map((of) => {
      const value = of();
      for (const key of [Symbol.iterator, "keys", "values", "entries"]) Reflect.set(value, key, endless);
      return contentToText(value);
    });
    expect(texts).toEqual(["[1]", "[1]", '{"a":1}']);
  });

  // Mutants seen to fail: no limit of text; keys cost nothing.
  it("W8: ends at 2^26 units of text, in values and in keys", () => {
    const text = "x".repeat(2 ** 22);
    const values = toPlainJson(Array.from({ length: 100_000 }, () => text));
    expect(values).toHaveLength(18);
    expect(values).toHaveProperty("17", "[more left out]");
    const keys = toPlainJson(Array.from({ length: 100_000 }, () => ({ [text]: 1 })));
    expect(keys).toHaveLength(18);
  });
});

describe("what a tool handed over", () => {
  // Mutant seen to fail: `toJSON` read again among the members.
  it("W8: is read once, member by member", () => {
    const reads: Record<string, number> = {};
    const counted = (target: object): object =>
      new Proxy(target, {
        get(of, key, receiver) {
          reads[String(key)] = (reads[String(key)] ?? 0) + 1;
          const member: unknown = Reflect.get(of, key, receiver);
          return typeof member === "object" && member !== null ? counted(member) : member;
        },
      });
    contentToText(counted({ a: 1, b: { c: [10, 20] }, toJSON: 5 }));
    const { length: _, ...once } = reads;
    // Each of the two objects may have a toJSON.
    expect(once).toEqual({ a: 1, b: 1, c: 1, 0: 1, 1: 1, toJSON: 2 });
  });

  it("W8: may change or fail later: the copy does not", () => {
    const original = { list: [1], nested: { a: 1 } };
    const copy = toPlainJson(original);
    original.list.push(2);
    original.nested.a = 2;
    expect(copy).toEqual({ list: [1], nested: { a: 1 } });
  });
});
