import { countUtf8Bytes } from "@pod/test-harness/laws";
import { describe, expect, it } from "vitest";
import { capText, formatMarker } from "../src/index.js";
import { EXACT_VALUES } from "./exact-values.js";

describe("exact values", () => {
  it.each(EXACT_VALUES)(
    "C2: %i bytes at a limit of %i keep %i and drop %i",
    (originalBytes, maxBytes, keptBytes, droppedBytes) => {
      const { text, truncation } = capText("a".repeat(originalBytes), { maxBytes });
      expect(truncation).toEqual({ maxBytes, originalBytes, keptBytes, droppedBytes });
      expect(text).toBe(`${"a".repeat(keptBytes)}\n\n[truncated: ${droppedBytes} bytes dropped, refine your query]`);
      expect(text.length).toBe(maxBytes);
    },
  );

  it("C1: 16,384 bytes at a limit of 16,384 come back as they are", () => {
    const text = "a".repeat(16_384);
    expect(capText(text, { maxBytes: 16_384 })).toEqual({ text });
  });
});

// Mutants seen to fail: `>=` for `>` at the limit; one byte less of room; a second code unit kept at the cut.
describe.each([
  ["1-byte", "a", 1],
  ["2-byte", "é", 2],
  ["3-byte", "語", 3],
  ["4-byte", "😀", 4],
  ["lone surrogate", "\uD83D", 3],
])("%s characters", (_, character, width) => {
  const maxBytes = 200;

  it.each([-4, -3, -2, -1, 0, 1, 2, 3, 4])("C2: text of the limit and %i bytes", (offset) => {
    const count = Math.floor((maxBytes + offset) / width);
    const text = "x".repeat(maxBytes + offset - count * width) + character.repeat(count);
    const wellFormed = text.toWellFormed();
    const capped = capText(text, { maxBytes });
    if (offset <= 0) {
      expect(capped).toEqual({ text: wellFormed });
      return;
    }
    const room = maxBytes - 2 - formatMarker(50).length;
    const shift = (maxBytes + offset) % width;
    const keptBytes = shift + Math.floor((room - shift) / width) * width;
    const droppedBytes = maxBytes + offset - keptBytes;
    expect(capped.truncation).toEqual({ maxBytes, originalBytes: maxBytes + offset, keptBytes, droppedBytes });
    expect(capped.text.endsWith(`\n\n${formatMarker(droppedBytes)}`)).toBe(true);
    expect(countUtf8Bytes(capped.text)).toBe(keptBytes + 48 + 2);
  });

  it.each([0, 1, 2, 3])("C2: no character is split by a cut %i bytes into it", (shift) => {
    const { text, truncation } = capText("x".repeat(shift) + character.repeat(1_000), { maxBytes });
    const kept = text.slice(0, text.indexOf("\n\n"));
    const whole = character.toWellFormed().repeat(Math.floor((maxBytes - 51 - shift) / width) + 1);
    expect(("x".repeat(shift) + whole).startsWith(kept)).toBe(true);
    expect(countUtf8Bytes(kept)).toBe(truncation?.keptBytes);
    expect(maxBytes - countUtf8Bytes(text)).toBeLessThan(width);
  });
});

describe("C1", () => {
  it("C1: a lone surrogate becomes U+FFFD under the limit, without a record", () => {
    expect(capText("a\uD800b\uDC00", { maxBytes: 100 })).toEqual({ text: "a\uFFFDb\uFFFD" });
  });

  it("C1: a lone surrogate counts as the 3 bytes that it becomes", () => {
    expect(capText("\uD800".repeat(10), { maxBytes: 30 })).toEqual({ text: "\uFFFD".repeat(10) });
    expect(capText("\uD800".repeat(10), { maxBytes: 29 }).truncation?.originalBytes).toBe(30);
  });

  it("C2: a U+FFFD and a BOM that were in the text stay", () => {
    const text = `\uFEFF${"\uFFFD".repeat(100)}`;
    const { text: cut } = capText(text, { maxBytes: 100 });
    expect(cut).toBe(`\uFEFF${"\uFFFD".repeat(15)}\n\n${formatMarker(303 - 48)}`);
  });

  it("C2: a pair at the cut goes whole, and half of one becomes U+FFFD", () => {
    expect(capText(`${"a".repeat(7)}😀${"a".repeat(90)}`, { maxBytes: 10 }).text).toBe("a".repeat(7));
    expect(capText(`${"a".repeat(7)}\uD83Da${"a".repeat(90)}`, { maxBytes: 10 }).text).toBe(`${"a".repeat(7)}\uFFFD`);
  });
});

describe("C4: small limits", () => {
  const text = "a".repeat(1_000);

  it.each([
    [53, `aa\n\n${formatMarker(998)}`, 2],
    // What goes has a digit less than the text, and that byte is the text's.
    [52, `a\n\n${formatMarker(999)}`, 1],
    [51, `${"a".repeat(40)}[truncated]`, 40],
    [12, "a[truncated]", 1],
    [11, "[truncated]", 0],
    [10, "a".repeat(10), 10],
    [1, "a", 1],
  ])("C4: at %i bytes", (maxBytes, expected, keptBytes) => {
    expect(capText(text, { maxBytes })).toEqual({
      text: expected,
      truncation: { maxBytes, originalBytes: 1_000, keptBytes, droppedBytes: 1_000 - keptBytes },
    });
  });

  it("C4: a character that is wider than the limit leaves nothing", () => {
    expect(capText("😀", { maxBytes: 3 })).toEqual({
      text: "",
      truncation: { maxBytes: 3, originalBytes: 4, keptBytes: 0, droppedBytes: 4 },
    });
  });

  it("C1: an empty text is within every limit", () => {
    expect(capText("", { maxBytes: 1 })).toEqual({ text: "" });
  });
});

describe("C8", () => {
  it("C8: a text that ends with a marker is cut like any other", () => {
    const text = `${"a".repeat(300)}\n\n${formatMarker(5)}`;
    const { text: cut, truncation } = capText(text, { maxBytes: 128 });
    expect(cut).toBe(`${"a".repeat(77)}\n\n${formatMarker(text.length - 77)}`);
    expect(truncation?.originalBytes).toBe(text.length);
  });

  it("C8: a text within the limit that is nothing but a marker is content", () => {
    const text = formatMarker(1_000_000);
    expect(capText(text, { maxBytes: 128 })).toEqual({ text });
  });
});

describe("C11", () => {
  // Mutant seen to fail: `"\u0000".replace("\u0000", kept) + suffix`.
  it("C11: replacement patterns in the text stay as they are", () => {
    const text = "$&$1$`$'$$".repeat(100);
    expect(capText(text, { maxBytes: 128 }).text.slice(0, 70)).toBe(text.slice(0, 70));
  });
});

describe("C7: wrong arguments", () => {
  const wrongLimits: readonly unknown[] = [
    0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1e300,
    2 ** 31,
    "16384",
    16_384n,
    true,
    null,
    undefined,
    {},
    Symbol("s"),
  ];

  it.each(wrongLimits)("C7: a maxBytes of %s is a RangeError, for a text that fits too", (maxBytes) => {
    const limit = { maxBytes: maxBytes as number };
    expect(() => capText("", limit)).toThrow(RangeError);
    expect(() => capText("a".repeat(99_999), limit)).toThrow(
      /^limit\.maxBytes: expected an integer from 1 to 2147483647/,
    );
  });

  it("C7: the error shows the value and the way out", () => {
    expect(() => capText("", { maxBytes: 0 })).toThrow(
      "limit.maxBytes: expected an integer from 1 to 2147483647 (UTF-8 bytes), received 0. Write: 16384",
    );
    const long: unknown = "9".repeat(1_000);
    expect(() => capText("", { maxBytes: long as number })).toThrow(/received "9{78}…\. Write/);
  });

  // Mutants seen to fail: quotes, a name or an `n` left out; cut at 79, or only once it was all quoted.
  it.each([
    ["16384", '"16384"'],
    ["9".repeat(78), `"${"9".repeat(78)}"`],
    ["9".repeat(79), `"${"9".repeat(78)}…`],
    [5n, "5n"],
    [1.5, "1.5"],
    [undefined, "undefined"],
    [null, "null"],
    [Symbol("s"), "Symbol(s)"],
    [() => 1, "a function"],
    [{ toString: () => "16384" }, "an object"],
  ])("C7: the error shows %s as it would be written, in 80 characters at most", (value, shown) => {
    const wrong: unknown = value;
    expect(() => capText("", { maxBytes: wrong as number })).toThrow(`(UTF-8 bytes), received ${shown}. Write: 16384`);
  });

  it("C7: the ends of the range are limits", () => {
    expect(capText("ab", { maxBytes: 1 }).text).toBe("a");
    expect(capText("ab", { maxBytes: 2_147_483_647 }).text).toBe("ab");
  });

  it.each([16_384, undefined, null, "x", () => 1])(
    "C7: a limit of %s is a TypeError that says what to write",
    (limit) => {
      const wrong: unknown = limit;
      expect(() => capText("", wrong as { maxBytes: number })).toThrow(TypeError);
      expect(() => capText("", wrong as { maxBytes: number })).toThrow(
        /^limit: expected an object, received .*\. Write: \{ maxBytes: 16384 \}$/,
      );
    },
  );

  it.each([undefined, null, 5, {}, Buffer.from("x"), new String("x")])("C7: a text of %s is a TypeError", (text) => {
    const wrong: unknown = text;
    expect(() => capText(wrong as string, { maxBytes: 5 })).toThrow(TypeError);
    expect(() => capText(wrong as string, { maxBytes: 5 })).toThrow(
      /^text: expected a string, received .*\. Write: String\(value\)$/,
    );
  });

  it("C7: a limit is read once, so that it cannot change its answer", () => {
    let reads = 0;
    const limit = {
      get maxBytes() {
        reads += 1;
        return reads === 1 ? 128 : Number.POSITIVE_INFINITY;
      },
    };
    expect(countUtf8Bytes(capText("a".repeat(9_999), limit).text)).toBe(128);
  });
});
