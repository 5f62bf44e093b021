import fc from "fast-check";
import { expect, it } from "vitest";
import { LineWriter } from "../src/session-log/line-writer.js";
import { SessionLogError } from "../src/session-log.js";

const numRuns = process.env.CI ? 5_000 : 500;

type Fault = "stat" | "truncate" | "write" | "full" | "datasync";

/** What happens to one append: at most one fault, after some bytes were taken; writes take at most so many at once. */
interface Step {
  readonly text: string;
  readonly fault: Fault | undefined;
  readonly takenBytes: number;
  readonly maxWriteBytes: number;
}

/** A file that fails when it is told to. */
class FaultyFile {
  bytes: Buffer = Buffer.from("header\n");
  #step: Step = { text: "", fault: undefined, takenBytes: 0, maxWriteBytes: 0 };
  #taken = 0;

  expectStep(step: Step): void {
    this.#step = step;
    this.#taken = 0;
  }

  stat() {
    this.#failAt("stat");
    return Promise.resolve({ size: this.bytes.length, nlink: 1 });
  }

  truncate(length = 0) {
    this.#failAt("truncate");
    this.bytes = this.bytes.subarray(0, length);
    return Promise.resolve();
  }

  write(buffer: Buffer, offset: number, length: number) {
    const { fault, takenBytes, maxWriteBytes } = this.#step;
    if (this.#taken >= takenBytes) {
      this.#failAt("write");
      if (fault === "full") return Promise.resolve({ bytesWritten: 0, buffer });
    }
    const bytesWritten = Math.min(length, maxWriteBytes);
    this.#taken += bytesWritten;
    this.bytes = Buffer.concat([this.bytes, buffer.subarray(offset, offset + bytesWritten)]);
    return Promise.resolve({ bytesWritten, buffer });
  }

  datasync() {
    this.#failAt("datasync");
    return Promise.resolve();
  }

  #failAt(fault: Fault): void {
    if (this.#step.fault === fault) throw Object.assign(new Error(fault), { code: "EIO" });
  }
}

function step(): fc.Arbitrary<Step> {
  return fc.record({
    text: fc.string({ unit: "grapheme-ascii", maxLength: 30 }),
    fault: fc.option(fc.constantFrom<Fault>("stat", "truncate", "write", "full", "datasync"), { nil: undefined }),
    takenBytes: fc.nat(40),
    maxWriteBytes: fc.integer({ min: 1, max: 40 }),
  });
}

// Mutants seen to fail: what a failed append wrote is not cut; a short write counts as a whole one; a line whose sync
// failed counts as acknowledged.
it("W17: whatever fails, no acknowledged line is lost, and none is glued to a torn one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step(), { maxLength: 20 }), fc.string({ maxLength: 9 }), async (steps, torn) => {
      const file = new FaultyFile();
      const committedEnd = file.bytes.length;
      file.bytes = Buffer.concat([file.bytes, Buffer.from(torn.replaceAll("\n", ""))]);
      const writer = new LineWriter(
        { handle: file, file: "a" },
        { committedEnd, fileEnd: file.bytes.length },
        { fsync: true },
      );
      const acknowledged = ["header\n"];
      for (const each of steps) {
        const line = `${each.text.replaceAll("\n", "")}\n`;
        file.expectStep(each);
        try {
          await writer.append(Buffer.from(line));
          acknowledged.push(line);
          expect(file.bytes.toString()).toBe(acknowledged.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(SessionLogError);
          expect(error).toMatchObject({ code: "failed-write" });
        }
        const written = file.bytes.toString();
        expect(written.startsWith(acknowledged.join(""))).toBe(true);
        expect(writer.committedEnd).toBe(Buffer.byteLength(acknowledged.join("")));
      }
    }),
    { numRuns },
  );
});
