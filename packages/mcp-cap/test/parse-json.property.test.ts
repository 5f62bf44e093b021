import { JsonNumber } from "@pod/tool-output-cap/mcp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../src/parse-json.js";
import { printJson } from "../src/print-json.js";
import { numRuns } from "./support/num-runs.js";

const spaces = fc.constantFrom("", " ", "\n", "\t\r\n ");

describe("parseJson and printJson", () => {
  // Mutants seen to fail: `String(number) === text` left out; a known string taken for another of its length.
  it("X6: read and write what JSON.parse and JSON.stringify do", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value);
        expect(printJson(parse(JSON.stringify(value, undefined, indent)))).toBe(text);
      }),
      { numRuns: numRuns(20_000) },
    );
  });

  it("X6: refuse what JSON.parse refuses, and nothing else but NaN and Infinity", () => {
    const pieces = fc.constantFrom(
      ...`{}[],:"\\ /-+.0123eEtrufalsn\u0007é`,
      "true",
      "null",
      '""',
      '"a":',
      "1e5",
      "\\u12",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (texts) => {
        const text = texts.join("");
        const fails = (read: (text: string) => unknown) => {
          try {
            read(text);
            return false;
          } catch (error) {
            return error instanceof SyntaxError;
          }
        };
        expect(fails(parse)).toBe(fails(JSON.parse));
      }),
      { numRuns: numRuns(20_000) },
    );
  });

  it("X6: keep the digits of every number", () => {
    const digits = fc.stringMatching(/^[0-9]{1,30}$/).map((text) => text.replace(/^0+(?=\d)/, ""));
    const number = fc
      .tuple(
        fc.constantFrom("", "-"),
        digits,
        fc.option(digits),
        fc.option(fc.tuple(fc.constantFrom("e", "E+", "e-"), digits)),
      )
      .map(([sign, whole, fraction, exponent]) =>
        [sign, whole, fraction === null ? "" : `.${fraction}`, exponent?.join("") ?? ""].join(""),
      );
    fc.assert(
      fc.property(fc.array(number), spaces, (numbers, space) => {
        expect(printJson(parse(`[${numbers.join(`,${space}`)}]`))).toBe(`[${numbers.join(",")}]`);
      }),
      { numRuns: numRuns(10_000) },
    );
  });

  // Mutant seen to fail: a long text with a newline in it taken as it is.
  it("X6: read long texts as JSON.parse does, and refuse them so", () => {
    const piece = fc.constantFrom(
      "x",
      "é",
      "😀",
      "\u007f",
      "\ufeff",
      "\\n",
      "\\\\",
      '\\"',
      "\\ud800",
      "\n",
      "\u0000",
      "\\x",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 3 }), fc.nat(6_000), (pieces, units) => {
        const text = `"${"x".repeat(units)}${pieces.join("")}${"y".repeat(5_000)}"`;
        const readBy = (read: (text: string) => unknown) => {
          try {
            return read(text);
          } catch (error) {
            return error instanceof SyntaxError;
          }
        };
        expect(readBy(parse)).toBe(readBy(JSON.parse));
      }),
      { numRuns: numRuns(2_000) },
    );
  });

  it.each(["9007199254740993", "1e400", "-0", "1.0", "1E5", "0.10", "NaN", "-Infinity"])("X6: keep %s", (digits) => {
    expect(parse(digits)).toEqual(new JsonNumber(digits));
    expect(printJson(parse(`{"id":${digits}}`))).toBe(`{"id":${digits}}`);
  });

  it("X6: take a million nested arrays, and objects named __proto__", () => {
    const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`;
    expect(printJson(parse(deep)).length).toBe(deep.length);
    const awkward = '{"__proto__":{"a":1},"constructor":[]}';
    expect(printJson(parse(awkward))).toBe(awkward);
    expect(Reflect.get({}, "a")).toBeUndefined();
  });
});

function parse(text: string) {
  return parseJson(Buffer.from(text));
}
