import { isUtf8 as isUtf8InNode } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import * as portable from "../../src/stream/is-utf8.js";
import * as node from "../../src/stream/is-utf8.node.js";
import { lawRuns } from "../law-runs.js";
import { byteChunks } from "./arbitrary-chunks.js";

describe.each([
  ["portable", portable],
  ["node", node],
])("%s", (_, { isUtf8 }) => {
  /** The bytes wherever they can stand in a word of memory. */
  function expectRight(bytes: Uint8Array): void {
    for (let offset = 0; offset < 4; offset++) {
      const memory = new Uint8Array(bytes.length + 8).fill(0xff);
      memory.set(bytes, offset);
      expect(isUtf8(memory.subarray(offset, offset + bytes.length))).toBe(isUtf8InNode(bytes));
    }
  }

  // Mutants seen to fail: the bytes before the first word, or after the last, not looked at; every word but the last.
  it("C13: sees one byte that is not ASCII, wherever it stands among bytes that are", () => {
    for (let length = 0; length < 24; length++) {
      expectRight(new Uint8Array(length));
      for (let place = 0; place < length; place++) expectRight(new Uint8Array(length).fill(0x80, place, place + 1));
    }
  });

  it("C13: takes for well-formed what Node does", () => {
    fc.assert(
      fc.property(byteChunks(), (chunks) => {
        for (const chunk of chunks) expectRight(chunk);
      }),
      lawRuns,
    );
  });
});

// Mutants seen to fail: all bytes handed to the decoder; those of less than a word, or not at the beginning of one.
it("C13: decodes nothing that is ASCII, wherever it stands in a word of memory", () => {
  const decode = vi.spyOn(TextDecoder.prototype, "decode");
  try {
    for (let offset = 0; offset < 4; offset++) {
      for (let length = 0; length < 24; length++) {
        const memory = new Uint8Array(length + 8).fill(0xff).fill(0x7f, offset, offset + length);
        expect(portable.isUtf8(memory.subarray(offset, offset + length))).toBe(true);
      }
    }
    expect(decode).not.toHaveBeenCalled();
    expect(portable.isUtf8(Uint8Array.of(0xc3, 0xa9))).toBe(true);
    expect(decode).toHaveBeenCalledOnce();
  } finally {
    decode.mockRestore();
  }
});
