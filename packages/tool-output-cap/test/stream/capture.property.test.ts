import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { capText } from "../../src/index.js";
import { captureStream, createOutputCapture } from "../../src/stream.js";
import { byteChunks, type ChunksAndLimit, mixedChunks, withLimit } from "./arbitrary-chunks.js";
import { joinNaively } from "./join-naively.js";

const runs = { numRuns: process.env.CI ? 20_000 : 2_000 };

vi.setConfig({ testTimeout: 300_000 });

describe("a capture", () => {
  // Mutants seen to fail: the first chunk kept without a copy; a lead of three bytes taken for one of two; in the portable
  // file, the bytes after the last word not looked at.
  it("C13: of bytes in any chunking equals capText of the decoded whole", () => {
    fc.assert(
      fc.property(withLimit(byteChunks()), ({ chunks, limit }) => {
        const everything = chunks.flatMap((chunk) => Array.from(chunk as Uint8Array));
        const text = new TextDecoder().decode(Uint8Array.from(everything));
        expect(capture({ chunks, limit })).toEqual(capText(text, limit));
      }),
      runs,
    );
  });

  // Mutants seen to fail: an empty string left out; bytes that do not part the halves of a pair.
  it("C13: of bytes and strings equals capText of what they join to", () => {
    fc.assert(
      fc.property(withLimit(mixedChunks()), ({ chunks, limit }) => {
        expect(capture({ chunks, limit })).toEqual(capText(joinNaively(chunks), limit));
      }),
      runs,
    );
  });

  it("C13: of an async iterable is that of its chunks", async () => {
    await fc.assert(
      fc.asyncProperty(withLimit(mixedChunks()), async ({ chunks, limit }) => {
        expect(await captureStream(toSource(chunks), limit)).toEqual(capText(joinNaively(chunks), limit));
      }),
      { numRuns: runs.numRuns / 10 },
    );
  });
});

function capture({ chunks, limit }: ChunksAndLimit) {
  const capture = createOutputCapture(limit);
  for (const chunk of chunks) {
    const written = typeof chunk === "string" ? chunk : chunk.slice();
    capture.write(written);
    // The caller may use the memory of a chunk again.
    if (typeof written !== "string") written.fill(0xff);
  }
  return capture.finish();
}

async function* toSource(chunks: ChunksAndLimit["chunks"]) {
  yield* chunks;
}
