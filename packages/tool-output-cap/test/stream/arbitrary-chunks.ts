import { nastyText, textAndLimit } from "@pod/test-harness/laws";
import fc from "fast-check";
import type { Keep, OutputLimit } from "../../src/index.js";
import { joinNaively } from "./join-naively.js";

/** What is written to a capture, and the limit of it. */
export interface ChunksAndLimit {
  readonly chunks: readonly (Uint8Array | string)[];
  readonly limit: OutputLimit;
}

/** Bytes of any kind in any chunking. */
export function byteChunks(): fc.Arbitrary<readonly Uint8Array[]> {
  return nastyBytes().chain((bytes) => {
    const places = fc.array(fc.nat(bytes.length), { maxLength: 12 });
    return places.map((unsorted) => {
      const sorted = [0, ...unsorted.toSorted((left, right) => left - right), bytes.length];
      return sorted.slice(1).map((end, index) => bytes.slice(sorted[index], end));
    });
  });
}

/** Bytes with strings between them, empty ones and halves of pairs included. */
export function mixedChunks(): fc.Arbitrary<readonly (Uint8Array | string)[]> {
  const text = fc.oneof(nastyText(), fc.constantFrom("", "\uD83D", "\uDE00", "\uFEFF", "語"));
  const parts = fc.array(fc.oneof(byteChunks(), fc.array(text, { maxLength: 3 })), { maxLength: 5 });
  return parts.map((chunks) => chunks.flat());
}

/** With a limit near an edge of the text that the chunks are. */
export function withLimit(chunks: fc.Arbitrary<ChunksAndLimit["chunks"]>): fc.Arbitrary<ChunksAndLimit> {
  return fc.tuple(chunks, fc.constantFrom<Keep>("head", "tail", "ends")).chain(([written, keep]) =>
    textAndLimit(fc.constant(joinNaively(written))).map(({ maxBytes }) => ({
      chunks: written,
      limit: { maxBytes, keep },
    })),
  );
}

function nastyBytes(): fc.Arbitrary<Uint8Array> {
  const piece = fc.oneof(
    { weight: 3, arbitrary: nastyText().map((text) => new TextEncoder().encode(text)) },
    { weight: 2, arbitrary: fc.uint8Array({ maxLength: 40 }) },
    // Leads, continuations and what lies between them, in every wrong order.
    {
      weight: 2,
      arbitrary: fc.array(fc.constantFrom(...AWKWARD_BYTES), { maxLength: 12 }).map((bytes) => Uint8Array.from(bytes)),
    },
    { weight: 1, arbitrary: fc.constant(Uint8Array.of(0xef, 0xbb, 0xbf)) },
  );
  return fc
    .array(piece, { maxLength: 4 })
    .map((pieces) => Uint8Array.from(pieces.flatMap((bytes) => Array.from(bytes))));
}

const AWKWARD_BYTES = [
  0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbb, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe3, 0xed, 0xef, 0xf0,
  0xf1, 0xf4, 0xf5, 0xff,
];
