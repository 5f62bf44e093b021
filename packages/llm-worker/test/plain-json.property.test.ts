import { expect, it } from "vitest";
import { contentToText, toPlainJson } from "../src/plain-json.js";
import { arbitraryValue } from "./support/arbitrary-value.js";
import { expectLaw } from "./support/expect-law.js";
import { findJsonFaults } from "./support/json-faults.js";

// Mutants seen to fail: arrays or objects not frozen; keys not copied; `-0` kept; no `try` around the members.
it("W8 W9: any value becomes frozen, plain, well-formed JSON, and never an exception", () => {
  expectLaw(arbitraryValue(), (make) => {
    expect(findJsonFaults(toPlainJson(make()))).toEqual([]);
  });
});

it("W8 W9: any value, once plain, survives JSON and being made plain again", () => {
  expectLaw(arbitraryValue(), (make) => {
    const value = make();
    const plain = toPlainJson(value);
    const text = JSON.stringify(plain);
    expect(JSON.stringify(JSON.parse(text))).toBe(text);
    expect(JSON.stringify(toPlainJson(plain))).toBe(text);
    expect(JSON.stringify(toPlainJson(JSON.parse(text)))).toBe(text);
  });
});

// Mutant seen to fail: a `JSON.stringify` of the value itself.
it("W8: any value becomes the text of its plain JSON, a string stays as it is", () => {
  expectLaw(arbitraryValue(), (make) => {
    const value = make();
    const plain = toPlainJson(value);
    const text = contentToText(value);
    if (typeof value === "string") expect(text).toBe(value);
    else expect(text).toBe(typeof plain === "string" ? plain : JSON.stringify(plain));
  });
});
