import cl100k from "gpt-tokenizer/encoding/cl100k_base";
import o200k from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { type BpeEncoding, createBpeCounter } from "../src/bpe.js";

const plain = { disallowedSpecial: new Set<string>() };
const encodings = { o200k_base: o200k, cl100k_base: cl100k };
const names: readonly BpeEncoding[] = ["o200k_base", "cl100k_base"];

describe.each(names)("%s", (encoding) => {
  const { count } = createBpeCounter(encoding);
  const { countTokens } = encodings[encoding];

  it.each([
    ["nothing", "", 0],
    ["two words", "hello world", 2],
    ["a lone surrogate", "\ud800", encodings[encoding].countTokens("\ufffd")],
    ["a number", "1234567", 3],
  ])("K4: counts %s", (_what, text, tokens) => {
    expect(count(text)).toBe(tokens);
  });

  // Mutant seen to fail: no options for the tokenizer, which then throws.
  it.each(["<|endoftext|>", "<|im_start|>system<|im_sep|>", "a <|fim_prefix|> b", "<|endofprompt|>"])(
    "K4: counts %j as plain text",
    (text) => {
      expect(count(text)).toBe(countTokens(text, plain));
      expect(count(text)).toBeGreaterThan(3);
    },
  );

  it.each<[string, string]>([
    ["letters", "a".repeat(1_024)],
    ["signs and line breaks", "!\n/".repeat(341)],
    ["blanks", `x${" \t".repeat(511)}x`],
    ["signs with marks", "!\u0301".repeat(341)],
    ["characters of two units", "\u{10400}".repeat(256)],
  ])("K4: counts a run of 1 KB as one: %s", (_what, run) => {
    const text = `const a = 1; ${run} end`;
    expect(count(text)).toBe(countTokens(text, plain));
  });

  // Mutants seen to fail: pieces alone, without what they lose at a cut; with it, but nothing to spare.
  it.each<[string, string]>([
    ["underscores", "_".repeat(5_000)],
    ["a mark that one letter before a cut would take", `${"ab".repeat(511)}x`.repeat(4)],
    ["signs and line breaks", "*/\n/".repeat(1_000)],
    ["blanks", " \t".repeat(2_500)],
    ["Thai", "ภาษาไทยไม่มีช่องว่าง".repeat(80)],
    ["signs in threes, and then line breaks", `${"!!)".repeat(334)}${"\r\n".repeat(500)}`],
  ])("K4: counts a longer run as no less than it is, and as little more: %s", (_what, text) => {
    const truth = countTokens(text, plain);
    expect(count(text)).toBeGreaterThanOrEqual(truth);
    expect(count(text)).toBeLessThanOrEqual(truth * 1.1 + 4);
  });

  it("K5: counts a run of six million characters, at which the tokenizer itself throws", () => {
    expect(count("関".repeat(6_000_000))).toBeGreaterThanOrEqual(6_000_000);
  });
});

it("K4: shares nothing with the tokenizer that a host uses, nor with another counter", () => {
  const [one, other] = [createBpeCounter("o200k_base"), createBpeCounter("o200k_base")];
  const text = "supercalifragilistic".repeat(80);
  const tokens = one.count(text);
  expect(other.count(text)).toBe(tokens);
  expect(one.count(text)).toBe(tokens);
  expect(() => o200k.countTokens("<|endoftext|>")).toThrow();
});

it.each(["gpt2", "__proto__", "o200k"])("K4: an encoding that is none is a TypeError: %s", (encoding) => {
  const fault = `createBpeCounter: expected "o200k_base" or "cl100k_base", received "${encoding}". Write: createBpeCounter("o200k_base")`;
  expect(() => Reflect.apply(createBpeCounter, undefined, [encoding])).toThrow(new TypeError(fault));
});
