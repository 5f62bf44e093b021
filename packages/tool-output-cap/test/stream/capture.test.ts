import { Readable } from "node:stream";
import vm from "node:vm";
import { describe, expect, it } from "vitest";
import { capText } from "../../src/index.js";
import { captureStream, createOutputCapture, type ReadableChunks } from "../../src/stream.js";

const KEEPS = ["head", "tail", "ends"] as const;
const wide = { maxBytes: 1_000 };
const bytes = (...values: readonly number[]) => Uint8Array.from(values);

describe("what chunks join to", () => {
  // "日" is E6 97 A5, "😀" is F0 9F 98 80; EF BB BF is a BOM.
  it.each([
    ["a character split over chunks", [bytes(0xe6), bytes(0x97), bytes(), bytes(0xa5)], "日"],
    ["a sequence that never ends", [bytes(0xf0, 0x9f), bytes(0x98)], "\uFFFD"],
    ["a sequence that a string ends, as one U+FFFD", [bytes(0xf0, 0x9f, 0x98), "x", bytes(0x80)], "\uFFFDx\uFFFD"],
    ["a sequence that an empty string ends", [bytes(0xe6, 0x97), "", bytes(0xa5)], "\uFFFD\uFFFD"],
    ["a pair split over strings", ["\uD83D", "\uDE00"], "😀"],
    ["the first pair that there is, split", ["\uD800", "\uDC00"], "\u{10000}"],
    ["the last one, split", ["\uDBFF", "\uDFFF"], "\u{10FFFF}"],
    ["a pair with no byte between its halves", ["\uD83D", bytes(), "\uDE00"], "😀"],
    ["a pair with a BOM between its halves", ["\uD83D", bytes(0xef, 0xbb, 0xbf), "\uDE00"], "😀"],
    ["halves with a byte between them", ["\uD83D", bytes(0x41), "\uDE00"], "\uFFFDA\uFFFD"],
    ["halves with an open sequence between them", ["\uD83D", bytes(0xe6), "\uDE00"], "\uFFFD\uFFFD\uFFFD"],
    ["half a pair at the end", ["a\uD83D"], "a\uFFFD"],
    ["a BOM at the beginning", [bytes(0xef), bytes(0xbb), bytes(0xbf, 0x41)], "A"],
    ["a second BOM", [bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf)], "\uFEFF"],
    ["a BOM later on", [bytes(0x41), bytes(0xef, 0xbb, 0xbf)], "A\uFEFF"],
    ["a BOM in front of bytes that follow a string", ["x", bytes(0xef, 0xbb, 0xbf, 0x41)], "xA"],
    ["a BOM in a string", ["\uFEFFx"], "\uFEFFx"],
    ["half a BOM", [bytes(0xef, 0xbb)], "\uFFFD"],
    ["nothing", [], ""],
  ])("C13: %s", (_what, chunks, text) => {
    expect(capture(chunks, wide)).toEqual({ text });
  });

  it.each(KEEPS)("C13: chunks of every length around the pieces that they are handled in, keep: %s", (keep) => {
    const limit = { maxBytes: 500, keep };
    for (const character of ["a", "é", "日", "😀", "\uFFFD", "\uDE00"]) {
      for (let before = 65_533; before <= 65_538; before++) {
        const text = "-".repeat(before) + character.repeat(70_000);
        expect(capture([text], limit)).toEqual(capText(text, limit));
        const encoded = new TextEncoder().encode(text);
        expect(capture([encoded], limit)).toEqual(capText(text, limit));
        // The last byte of each piece is broken.
        for (const broken of [65_535, 131_071]) encoded[broken] = 0xff;
        expect(capture([encoded], limit)).toEqual(capText(new TextDecoder().decode(encoded), limit));
      }
    }
  });

  it("C13: bytes of another realm and of shared memory are bytes", () => {
    const foreign: unknown = vm.runInNewContext("Uint8Array.of(0x41, 0xe6, 0x97, 0xa5, 0xff)");
    const shared = new Uint8Array(new SharedArrayBuffer(5));
    shared.set([0x41, 0xe6, 0x97, 0xa5, 0xff]);
    expect(foreign instanceof Uint8Array).toBe(false);
    expect(capture([foreign as Uint8Array, shared], wide)).toEqual({ text: "A日\uFFFDA日\uFFFD" });
  });

  it.each([
    ["an ArrayBuffer", new ArrayBuffer(4)],
    ["a Uint16Array", new Uint16Array(4)],
    ["a DataView", new DataView(new ArrayBuffer(4))],
    ["an array of numbers", [0x41]],
    ["an object that says that it is one", { [Symbol.toStringTag]: "Uint8Array", length: 1, 0: 0x41 }],
    ["a number", 65],
    ["null", null],
    ["undefined", undefined],
  ])("C13: %s is a TypeError that says what to write", (_what, chunk) => {
    const wrong: unknown = chunk;
    expect(() => createOutputCapture(wide).write(wrong as string)).toThrow(TypeError);
    expect(() => createOutputCapture(wide).write(wrong as string)).toThrow(
      /^chunk: expected a Uint8Array or a string, received .+\. Write: new Uint8Array\(chunk\)/,
    );
  });
});

describe("a capture", () => {
  it("C13: gives the same object when it is finished again, and takes no chunk after that", () => {
    const capture = createOutputCapture({ maxBytes: 60, keep: "tail" });
    capture.write("a".repeat(100));
    const capped = capture.finish();
    expect(capped).toEqual(capText("a".repeat(100), { maxBytes: 60, keep: "tail" }));
    expect(() => capture.write("b")).toThrow(/^write: expected no chunk after finish\(\)\. Write: createOutputCapture/);
    expect(capture.finish()).toBe(capped);
  });

  it("C13: goes on after a chunk that was refused", () => {
    const capture = createOutputCapture(wide);
    const wrong: unknown = 5;
    capture.write(bytes(0xe6));
    expect(() => capture.write(wrong as string)).toThrow(TypeError);
    capture.write(bytes(0x97, 0xa5));
    expect(capture.finish()).toEqual({ text: "日" });
  });

  it.each([0, -1, 0.5, Number.NaN, 2 ** 31, "5", undefined])("C7: a limit of %s is a RangeError", (maxBytes) => {
    const wrong: unknown = maxBytes;
    expect(() => createOutputCapture({ maxBytes: wrong as number })).toThrow(RangeError);
  });

  it("C7: a keep that is none of the three is a RangeError", () => {
    const wrong: unknown = "middle";
    expect(() => createOutputCapture({ maxBytes: 5, keep: wrong as "head" })).toThrow(/^limit\.keep: expected "head"/);
  });
});

describe("captureStream", () => {
  const text = "日本語😀".repeat(10_000);
  const limit = { maxBytes: 100, keep: "ends" } as const;

  it.each<readonly [string, () => AsyncIterable<Uint8Array | string> | ReadableChunks]>([
    ["a stream of Node", () => Readable.from(split(text))],
    ["a stream of Node with an encoding", () => Readable.from(split(text)).setEncoding("utf8")],
    ["the body of a response", () => new Response(text).body ?? Readable.from([])],
    ["a web stream that is no async iterable", () => asInSafari(ReadableStream.from(split(text)))],
  ])("C13: reads %s", async (_what, open) => {
    expect(await captureStream(open(), limit)).toEqual(capText(text, limit));
  });

  it.each([
    ["an async iterable", (source: AsyncGenerator<string>) => source],
    ["a web stream", (source: AsyncGenerator<string>) => asInSafari(ReadableStream.from(source))],
  ])("C13: drains %s long after the limit", async (_what, wrap) => {
    let chunks = 0;
    async function* produce() {
      for (; chunks < 1_000; chunks++) yield "x".repeat(100);
    }
    expect((await captureStream(wrap(produce()), { maxBytes: 64 })).truncation?.originalBytes).toBe(100_000);
    expect(chunks).toBe(1_000);
  });

  // Mutant seen to fail: the reader kept.
  it("C13: lets go of a web stream that it has read", async () => {
    const stream = ReadableStream.from(["a", "b"]);
    await captureStream(asInSafari(stream), limit);
    expect(stream.locked).toBe(false);
  });

  it.each([
    ["an async iterable", (source: AsyncGenerator<string>) => source],
    ["a web stream", (source: AsyncGenerator<string>) => asInSafari(ReadableStream.from(source))],
  ])("C13: rejects with the very error of %s that fails", async (_what, wrap) => {
    const fault = new Error("the pipe broke");
    async function* produce() {
      yield "a";
      throw fault;
    }
    await expect(captureStream(wrap(produce()), limit)).rejects.toBe(fault);
  });

  it.each([
    ["an async iterable", (source: AsyncGenerator<string>) => source],
    ["a web stream", (source: AsyncGenerator<string>) => asInSafari(ReadableStream.from(source))],
  ])("C13: ends %s that gives a wrong chunk", async (_what, wrap) => {
    let ended = false;
    async function* produce() {
      const wrong: unknown = 5;
      try {
        yield "a";
        yield wrong as string;
        yield "b";
      } finally {
        ended = true;
      }
    }
    await expect(captureStream(wrap(produce()), limit)).rejects.toThrow(/^chunk: expected a Uint8Array or a string/);
    expect(ended).toBe(true);
  });

  it.each(["text", null, undefined, 5, {}, ["text"], { getReader: 5 }])(
    "C13: refuses %j as a source",
    async (source) => {
      const wrong: unknown = source;
      const captured = captureStream(wrong as ReadableChunks, limit);
      await expect(captured).rejects.toThrow(TypeError);
      await expect(captured).rejects.toThrow(/^source: expected an async iterable of chunks, received .+ Write: child/);
    },
  );

  it("C7: refuses a wrong limit before anything is read", async () => {
    let reads = 0;
    async function* produce() {
      reads++;
      yield "a";
    }
    await expect(captureStream(produce(), { maxBytes: 0 })).rejects.toThrow(RangeError);
    expect(reads).toBe(0);
  });
});

function capture(chunks: readonly (Uint8Array | string)[], limit: Parameters<typeof createOutputCapture>[0]) {
  const capture = createOutputCapture(limit);
  for (const chunk of chunks) capture.write(chunk);
  return capture.finish();
}

/** Chunks of 1,000 bytes: many characters are split. */
function split(text: string): readonly Buffer[] {
  const encoded = Buffer.from(text);
  return Array.from({ length: Math.ceil(encoded.length / 1_000) }, (_, index) =>
    encoded.subarray(index * 1_000, (index + 1) * 1_000),
  );
}

function asInSafari(stream: ReadableStream): ReadableChunks {
  Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined });
  return stream;
}
