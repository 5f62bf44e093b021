import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteBuffer } from "../src/byte-buffer.js";
import { editLine } from "../src/edit-line.js";
import { numRuns } from "./support/num-runs.js";

/** Small pieces are copied together, and large ones are kept: some of each. */
const sizes = fc.array(
  fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 8_000, max: 8_400 }), fc.constant(65_536)),
  { maxLength: 12 },
);

function collect(sizes: readonly number[]) {
  const buffer = new ByteBuffer();
  const pieces = sizes.map((size, index) => Buffer.alloc(size, `${index}-abc\\"`));
  for (const piece of pieces) buffer.append(piece);
  const { length } = buffer;
  return { whole: Buffer.concat(pieces), length, line: buffer.take(), buffer };
}

describe("the bytes of a line", () => {
  // Mutants seen to fail: the block of small pieces not ended before a large one; `cut` without its lower bound of 0.
  it("X1: are those that came, in order, in whatever pieces, and each span of them too", () => {
    fc.assert(
      fc.property(
        sizes,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (sizes, a, b) => {
          const { whole, length, line, buffer } = collect(sizes);
          const [start = 0, end = 0] = [a, b].map((share) => Math.round(share * whole.length)).sort((x, y) => x - y);
          expect(length).toBe(whole.length);
          expect(Buffer.concat(line.pieces).equals(whole)).toBe(true);
          expect(line.join({ start, end }).equals(whole.subarray(start, end))).toBe(true);
          const edited = Buffer.concat(editLine(line, [{ span: { start, end }, json: "null" }]));
          expect(
            edited.equals(Buffer.concat([whole.subarray(0, start), Buffer.from("null"), whole.subarray(end)])),
          ).toBe(true);
          expect([buffer.length, buffer.take().pieces.length]).toEqual([0, 0]);
        },
      ),
      { numRuns: numRuns(2_000) },
    );
  });

  it("X7: take at most twice their own memory, and some, when they come one by one", () => {
    for (const size of [1, 7, 1_000, 8_191]) {
      const { line, length } = collect(Array(Math.ceil(300_000 / size)).fill(size));
      const held = line.pieces.reduce((bytes, piece) => bytes + piece.buffer.byteLength, 0);
      expect(held).toBeLessThanOrEqual(2 * length + 1_024);
      expect(line.pieces.length).toBeLessThan(10);
    }
  });

  it("X1: are not copied where they come in large pieces", () => {
    const buffer = new ByteBuffer();
    const pieces = Array.from({ length: 3 }, () => Buffer.alloc(65_536));
    for (const piece of pieces) buffer.append(piece);
    const taken = buffer.take().pieces;
    for (const [index, piece] of pieces.entries()) expect(taken[index]).toBe(piece);
  });
});
