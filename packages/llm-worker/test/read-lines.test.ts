import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCommittedEnd } from "../src/session-log/find-committed-end.js";
import { readLines } from "../src/session-log/read-lines.js";
import { SessionLogError } from "../src/session-log.js";

const numRuns = process.env.CI ? 2_000 : 200;

/** A file in memory, which gives at most so many bytes at once. */
function fileOf(bytes: Buffer, maxReadBytes: number) {
  const read = async (buffer: Buffer, offset: number, length: number, position: number) => {
    const bytesRead = bytes.copy(buffer, offset, position, position + Math.min(length, maxReadBytes));
    return { bytesRead, buffer };
  };
  return { handle: { read }, file: "a" };
}

async function readAll(bytes: Buffer, maxReadBytes: number, maxLineBytes: number) {
  const lines = [];
  for await (const { number, bytes: size, isCommitted, text } of readLines(
    fileOf(bytes, maxReadBytes),
    bytes.length,
    maxLineBytes,
  )) {
    lines.push({ number, size, isCommitted, text: text?.toString("latin1") });
  }
  return lines;
}

const contents = fc
  .array(fc.oneof(fc.constant("\n"), fc.constant("\0"), fc.string({ maxLength: 8 })), { maxLength: 20 })
  .map((parts) => Buffer.from(parts.join(""), "latin1"));

describe("the lines of a file", () => {
  it("W17: are what stands between newlines, however it is read, and the long ones are left out", async () => {
    await fc.assert(
      fc.asyncProperty(contents, fc.integer({ min: 1, max: 9 }), fc.nat(9), async (bytes, maxRead, maxLine) => {
        const parts = bytes.toString("latin1").split("\n");
        const expected = parts.map((text, index) => {
          const isCommitted = index < parts.length - 1;
          return {
            number: index + 1,
            size: text.length + (isCommitted ? 1 : 0),
            isCommitted,
            text: text.length > maxLine ? undefined : text,
          };
        });
        expect(await readAll(bytes, maxRead, maxLine)).toEqual(expected.filter(({ size }) => size > 0));
      }),
      { numRuns },
    );
  });

  it("W17: may be longer than a chunk", async () => {
    const long = "x".repeat(200_000);
    const lines = await readAll(Buffer.from(`${long}\n${long.slice(9)}\n${long}`), 65_536, 200_000);
    expect(lines.map(({ text }) => text)).toEqual([long, long.slice(9), long]);
    expect((await readAll(Buffer.from(`${long}x\na`), 65_536, 200_000)).map(({ text }) => text)).toEqual([
      undefined,
      "a",
    ]);
  });

  it("W17: that are no longer there are an error", async () => {
    const reading = readLines(fileOf(Buffer.from("a\nb"), 9), 4, 9);
    await reading.next();
    await expect(reading.next()).rejects.toBeInstanceOf(SessionLogError);
  });
});

describe("the end of the last whole line", () => {
  // Mutant seen to fail: a NUL in the line before the last newline is not looked for.
  it("W17: is behind the last newline whose line has no NUL", async () => {
    await fc.assert(
      fc.asyncProperty(contents, async (bytes) => {
        const lines = bytes.toString("latin1").split("\n").slice(0, -1);
        const lastWhole = lines.findLastIndex((line) => !line.includes("\0"));
        const expected = lines.slice(0, lastWhole + 1).reduce((end, line) => end + line.length + 1, 0);
        expect(await findCommittedEnd(fileOf(bytes, 65_536), bytes.length)).toBe(expected);
      }),
      { numRuns },
    );
  });

  it("W17: may be many chunks before the end of the file", async () => {
    const line = Buffer.from("line\n");
    for (const tornBytes of [65_531, 65_535, 65_536, 65_537, 300_000]) {
      for (const byte of ["x", "\0"]) {
        const bytes = Buffer.concat([line, line, Buffer.from(byte.repeat(tornBytes))]);
        expect(await findCommittedEnd(fileOf(bytes, 65_536), bytes.length)).toBe(10);
        const twoLines = Buffer.concat([line, Buffer.from(`${byte.repeat(tornBytes)}\n`)]);
        expect(await findCommittedEnd(fileOf(twoLines, 65_536), twoLines.length)).toBe(
          byte === "x" ? tornBytes + 6 : 5,
        );
      }
    }
  });
});
