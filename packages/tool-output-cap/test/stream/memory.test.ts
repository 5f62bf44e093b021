import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";

const MAX_BYTES = 16_384;
// As for capText: a two-byte string has 2 bytes for each byte of ASCII in it, and 4 KB go to everything around it.
const MAX_FINISHED = 2 * MAX_BYTES + 4_096;
// Both ends, the encoders' own state, and the code that the engine has just made.
const MAX_DURING = 2 * MAX_BYTES + 32_768;

type Retained = Readonly<Record<string, number>>;

describe("what a capture of 3 MB at 16,384 bytes keeps alive, after 50,000 others", () => {
  let measured: { readonly during: Retained; readonly finished: Retained; readonly collected: Retained };

  beforeAll(async () => {
    const script = fileURLToPath(new URL("./measure-capture.ts", import.meta.url));
    const flags = ["--expose-gc", "--import", "tsx", "--conditions=@pod/source"];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script]);
    measured = JSON.parse(stdout);
  }, 300_000);

  it("C6 C13: its result is about the limit", () => {
    expect(above(measured.finished, MAX_FINISHED)).toEqual([]);
    expect(Object.keys(measured.finished)).toHaveLength(24);
  });

  // Mutant seen to fail: a ring that keeps the chunk that it copies from.
  it("C13: while it is going on, at most twice the limit and some kilobytes", () => {
    expect(above(measured.during, MAX_DURING)).toEqual([]);
    expect(Object.keys(measured.during)).toHaveLength(24);
  });

  it("C13: is all of it where chunks are collected, so that this measurement can fail", () => {
    expect(above(measured.collected, 2_900_000)).toHaveLength(8);
  });
});

function above(retained: Retained, maxBytes: number) {
  return Object.entries(retained).filter(([, bytes]) => bytes > maxBytes);
}
