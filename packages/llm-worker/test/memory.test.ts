import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";

// Twice the limit, because a two-byte text has 2 bytes for each byte of ASCII in it, and 4 KB for everything around it.
const MAX_RETAINED_BYTES = 2 * 16_384 + 4_096;
const CONTROL = "a slice, kept as it is";

describe("of a text of 10 MB, after 50,000 calls", () => {
  let retained: readonly (readonly [subject: string, bytes: number])[] = [];

  beforeAll(async () => {
    const script = fileURLToPath(new URL("./support/memory-retained.ts", import.meta.url));
    const flags = ["--expose-gc", "--import", "tsx", "--conditions=@pod/source"];
    const cwd = fileURLToPath(new URL("..", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script], { cwd });
    retained = JSON.parse(stdout);
  }, 600_000);

  // Mutants of copyText seen to fail: `return text`; `return text.toWellFormed()`; a template literal; a slice and `+`.
  // Mutants of its callers seen to fail: the summary, the content, a user's text, a string of an input not copied.
  it("C6 W9: what becomes of it, or of a part of it, in results, events and history keeps no more than the limit", () => {
    const subjects = retained.filter(([subject]) => !subject.startsWith(CONTROL));
    expect(subjects).toHaveLength(44);
    expect(subjects.filter(([, bytes]) => !(bytes <= MAX_RETAINED_BYTES))).toEqual([]);
  });

  it("C6 W9: a part that is kept as it is keeps the whole, so that this measurement can fail", () => {
    const controls = retained.filter(([subject]) => subject.startsWith(CONTROL));
    expect(controls).toHaveLength(4);
    expect(controls.filter(([, bytes]) => !(bytes >= 9_000_000))).toEqual([]);
  });
});
