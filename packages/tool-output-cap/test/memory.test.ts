import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";

// Twice the limit, because a two-byte string has 2 bytes for each byte of ASCII in it, and 4 KB for everything around it.
const MAX_RETAINED = 2 * 16_384 + 4_096;

describe("what a result cut from 10 MB keeps alive, after 50,000 calls", () => {
  let retained: readonly (readonly [string, number])[] = [];

  beforeAll(async () => {
    const script = fileURLToPath(new URL("./measure-retained.ts", import.meta.url));
    const flags = ["--expose-gc", "--import", "tsx", "--conditions=@pod/source"];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script]);
    const measured: Record<string, number> = JSON.parse(stdout);
    retained = Object.entries(measured);
  }, 300_000);

  it("C6: is about the limit", () => {
    const cuts = retained.filter(([name]) => !name.startsWith("slice + marker"));
    expect(cuts).toHaveLength(36);
    expect(cuts.filter(([, bytes]) => bytes > MAX_RETAINED)).toEqual([]);
  });

  it("C6: is the whole text for a slice and a marker, so that this measurement can fail", () => {
    const mutants = retained.filter(([name]) => name.startsWith("slice + marker"));
    expect(mutants).toHaveLength(6);
    expect(mutants.filter(([, bytes]) => bytes < 9_000_000)).toEqual([]);
  });
});
