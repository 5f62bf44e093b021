import { describe, expect, it } from "vitest";
import { draftError } from "../src/draft.js";
import { errorToText } from "../src/error-text.js";
import { arbitraryValue } from "./support/arbitrary-value.js";
import { expectLaw } from "./support/expect-law.js";

function fail(): never {
  throw new Error("not to be read");
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const errorWith = (fields: object) => Object.defineProperties(new Error("m"), Object.getOwnPropertyDescriptors(fields));

describe("what was thrown", () => {
  it.each([
    ["an error", new TypeError("no such file"), "TypeError: no such file"],
    ["an error of a class", new (class ParseError extends Error {})("bad"), "Error: bad"],
    ["an error with a name of its own", Object.assign(new Error("bad"), { name: "ParseError" }), "ParseError: bad"],
    ["an error without a message", new RangeError(), "RangeError"],
    ["an error without a name", Object.assign(new Error("bad"), { name: "" }), "Error: bad"],
    ["a DOMException", new DOMException("late", "TimeoutError"), "TimeoutError: late"],
    ["an object like an error", { name: "NotFound", message: "gone", status: 404 }, "NotFound: gone"],
    ["a string", "just a text", "just a text"],
    ["a number", 404, "404"],
    ["a bigint", 5n, "5"],
    ["null", null, "null"],
    ["a symbol", Symbol("secret"), "[symbol]"],
    ["a function", () => "secret", "[function]"],
    ["an object", { status: 404 }, '{"status":404}'],
    ["binary", Buffer.from("abc"), "[binary: 3 bytes]"],
  ])("W4: is told as `name: message`, else as content is: %s", (_, thrown, text) => {
    expect(errorToText(thrown)).toBe(text);
  });

  // Mutant seen to fail: the stack for the message.
  it("W4: is told without its stack, and without the stacks of its causes", () => {
    const error = new Error("outer", { cause: new Error("inner", { cause: new Error("innermost") }) });
    expect(errorToText(error)).toBe("Error: outer\ncaused by Error: inner\ncaused by Error: innermost");
    expect(errorToText({ stack: "at secret", message: "m" })).toBe("Error: m");
    expect(errorToText({ error })).not.toContain("error-text.test");
  });

  // Mutant seen to fail: no limit of causes.
  it("W4: ends where causes do not", () => {
    const cyclic = new Error("again");
    cyclic.cause = new Error("and again", { cause: cyclic });
    const endless = {
      message: "ever new",
      get cause(): object {
        return Object.create(endless);
      },
    };
    for (const error of [cyclic, endless]) expect(errorToText(error).split("\n")).toHaveLength(10);
  });

  it("W4: of 1,000 causes tells the first ten errors", () => {
    let error = new Error("0");
    for (let depth = 1; depth < 1_000; depth++) error = new Error(String(depth), { cause: error });
    const lines = errorToText(error).split("\n");
    expect(lines).toHaveLength(10);
    expect(lines.slice(0, 2)).toEqual(["Error: 999", "caused by Error: 998"]);
  });

  it("W4: tells causes that are no errors", () => {
    expect(errorToText(new Error("m", { cause: "offline" }))).toBe("Error: m\ncaused by offline");
    expect(errorToText(new Error("m", { cause: { code: 5 } }))).toBe('Error: m\ncaused by {"code":5}');
    expect(errorToText(new Error("m", { cause: undefined }))).toBe("Error: m");
  });

  it("W4: tells the members of an AggregateError, ten at most, and of one that is a cause", () => {
    const both = new AggregateError([new TypeError("a"), "b"], "both failed");
    expect(errorToText(both)).toBe("AggregateError: both failed\n- TypeError: a\n- b");
    expect(errorToText(new Error("m", { cause: both }))).toBe(
      "Error: m\ncaused by AggregateError: both failed\n- TypeError: a\n- b",
    );
    const many = new AggregateError(Array.from({ length: 1_000 }, () => new Error("x")));
    expect(errorToText(many).split("\n")).toHaveLength(11);
  });

  // Mutants seen to fail: no `try` around a read; `Array.isArray` outside of it; `members.map`.
  it.each([
    [
      "a message",
      errorWith({
        get message() {
          return fail();
        },
      }),
    ],
    [
      "a message of a plain object",
      {
        get message() {
          return fail();
        },
        a: 1,
      },
    ],
    [
      "a name",
      errorWith({
        get name() {
          return fail();
        },
      }),
    ],
    [
      "a cause",
      errorWith({
        get cause() {
          return fail();
        },
      }),
    ],
    [
      "errors",
      errorWith({
        get errors() {
          return fail();
        },
      }),
    ],
    ["one of the errors", errorWith({ errors: Object.defineProperty([1, 2], 1, { get: fail }) })],
    ["everything", new Proxy({}, new Proxy({}, { get: fail }))],
    ["everything in errors", errorWith({ errors: new Proxy([1], { get: fail }) })],
    ["a revoked Proxy", revoked({})],
    ["a revoked list", errorWith({ errors: revoked([]) })],
    ["a revoked cause", errorWith({ cause: revoked({}) })],
    ["a toString", { message: 5, toString: fail, toJSON: fail }],
  ])("W4: is told as far as it can be read where it throws: %s", (_, thrown) => {
    expect(errorToText(thrown)).toMatch(/^Error|^\{|^\[unreadable\]$/);
  });

  it.each([
    ["a number", errorWith({ message: 5 })],
    ["an object", errorWith({ message: { a: 1 } })],
    ["nothing", errorWith({ message: undefined })],
    ["a symbol", errorWith({ message: Symbol("s") })],
    ["a symbol, in the name", errorWith({ name: Symbol("s") })],
    ["an object, in the name", errorWith({ name: { a: 1 } })],
  ])("W4: is told where message or name is no string: %s", (_, thrown) => {
    const text = errorToText(thrown);
    expect(text).not.toBe("");
    expect(text).not.toContain("error-text.test");
  });

  // Mutant seen to fail: no `try` around the joining.
  it("W4: is told to be too long where no text can hold it", () => {
    const tooLong = "[an error longer than a text can be]";
    const half = "x".repeat(2 ** 28);
    expect(errorToText({ message: "x".repeat(2 ** 29 - 24) })).toBe(tooLong);
    expect(errorToText({ message: half, cause: { message: half } })).toBe(tooLong);
  });

  it("W8: is read once", () => {
    const reads: string[] = [];
    const error = new Proxy(new Error("m", { cause: "c" }), {
      get(target, key, receiver) {
        reads.push(String(key));
        return Reflect.get(target, key, receiver);
      },
    });
    errorToText(error);
    expect(reads.toSorted()).toEqual(["cause", "errors", "message", "name"]);
  });

  it("W4: is treated like a plain text where it is long, causes included", () => {
    const call = { toolCallId: "c", toolName: "t" };
    const cause = new Error("y".repeat(150));
    const text = errorToText(new Error("x".repeat(60), { cause }));
    expect(draftError(call, text)).toEqual({
      ...call,
      summary: "2 lines, 235 bytes",
      summaryIsDerived: true,
      content: text,
      isError: true,
    });
    expect(draftError(call, errorToText(new Error("x")))).toEqual({ ...call, summary: "Error: x", isError: true });
  });

  it("W4: is told without an exception, whatever it is, as a cause and as a member too", () => {
    expectLaw(arbitraryValue(), (make) => {
      expect(typeof errorToText(make())).toBe("string");
      expect(typeof errorToText(errorWith({ message: make(), name: make() }))).toBe("string");
      expect(errorToText(errorWith({ cause: make(), errors: make() }))).toMatch(/^Error: m/);
      expect(errorToText(errorWith({ errors: [make()] }))).toMatch(/^Error: m\n- /);
    });
  });
});
