import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openSessionLog, repairSessionLog, type SessionEntry } from "../src/session-log.js";
import {
  appendTo,
  arbitraryEntry,
  DEAD_LOCK,
  entriesIn,
  entryOf,
  HEADER,
  linesOf,
  newLogPath,
  sessionErrorOf,
} from "./support/session-logs.js";

const numRuns = process.env.CI ? 500 : 50;
const [a, b] = [JSON.stringify(entryOf("a")), JSON.stringify(entryOf("b"))];

describe("a repair", () => {
  it("W17: keeps every line that can be read, says which it left out, and keeps the original", async () => {
    const file = await newLogPath();
    const damaged = `${HEADER}${a}\nhunter2\n\0\0\n${b}\n${a.slice(0, 9)}${b}\n${a}\n${b}`;
    await writeFile(file, damaged);
    const repair = await repairSessionLog(file);
    expect(repair).toEqual({
      keptEntries: 3,
      leftOut: [
        { firstLine: 3, lastLine: 4, bytes: 11 },
        { firstLine: 6, lastLine: 6, bytes: 10 + b.length },
        // Without its newline it was never acknowledged.
        { firstLine: 8, lastLine: 8, bytes: b.length },
      ],
      original: `${file}.damaged`,
    });
    expect(await readFile(file, "utf8")).toBe(`${HEADER}${a}\n${b}\n${a}\n`);
    expect(await readFile(`${file}.damaged`, "utf8")).toBe(damaged);
    expect((await readdir(dirname(file))).toSorted()).toEqual(["session.jsonl", "session.jsonl.damaged"]);
    expect(await entriesIn(file)).toEqual([entryOf("a"), entryOf("b"), entryOf("a")]);
  });

  it("W17: changes nothing where there is nothing to repair", async () => {
    const file = await newLogPath();
    for (const entries of [[], [entryOf("a"), entryOf("b")]]) {
      await appendTo(file, entries);
      const before = await stat(file);
      expect(await repairSessionLog(file)).toEqual({ keptEntries: entries.length, leftOut: [] });
      expect(await stat(file)).toEqual({ ...before, atime: expect.anything(), atimeMs: expect.anything() });
      expect(await readdir(dirname(file))).toEqual(["session.jsonl"]);
    }
  });

  // Mutants seen to fail: the mode of a new file; the second original over the first.
  it("W17: keeps the mode, and each original", async () => {
    const file = await newLogPath();
    for (const number of [1, 2, 3]) {
      await writeFile(file, `${HEADER}${number}\n`);
      await chmod(file, 0o640);
      const { original } = await repairSessionLog(file);
      expect(original).toBe(number === 1 ? `${file}.damaged` : `${file}.damaged-${number}`);
      expect((await stat(file)).mode & 0o777).toBe(0o640);
      expect(await readFile(String(original), "utf8")).toBe(`${HEADER}${number}\n`);
    }
  });

  it("W17: writes the first line again where it is lost", async () => {
    const file = await newLogPath();
    await writeFile(file, `${HEADER.slice(3)}${a}\n`);
    expect((await sessionErrorOf(openSessionLog(file))).code).toBe("not-a-session-log");
    expect((await repairSessionLog(file)).leftOut).toEqual([{ firstLine: 1, lastLine: 1, bytes: HEADER.length - 3 }]);
    expect(await readFile(file, "utf8")).toBe(linesOf([entryOf("a")]));
  });

  it("W17: takes no file that is none of ours, no newer one, and none that is in use", async () => {
    const file = await newLogPath();
    for (const [text, code] of [
      ["hunter2\nhunter2\n", "not-a-session-log"],
      [`${HEADER.replace("1", "2")}hunter2\n`, "newer-version"],
    ] as const) {
      await writeFile(file, text);
      const error = await sessionErrorOf(repairSessionLog(file));
      expect(error).toMatchObject({ code, file });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("hunter2");
      expect(await readFile(file, "utf8")).toBe(text);
      expect(await readdir(dirname(file))).toEqual(["session.jsonl"]);
    }
  });

  it("W17: clears away what an earlier one left that died", async () => {
    const file = await newLogPath();
    await writeFile(file, `${HEADER}hunter2\n${a}\n`);
    await writeFile(`${file}.repair`, "half a repair");
    await writeFile(`${file}.lock`, DEAD_LOCK);
    expect((await repairSessionLog(file)).keptEntries).toBe(1);
    expect((await readdir(dirname(file))).toSorted()).toEqual(["session.jsonl", "session.jsonl.damaged"]);
  });

  it("W17: that fails leaves the log as it was", async () => {
    const file = await newLogPath();
    await writeFile(file, `${HEADER}hunter2\n${a}\n`);
    await mkdir(`${file}.repair`);
    expect((await sessionErrorOf(repairSessionLog(file))).code).toBe("inaccessible-file");
    expect(await readFile(file, "utf8")).toBe(`${HEADER}hunter2\n${a}\n`);
    expect((await readdir(dirname(file))).toSorted()).toEqual(["session.jsonl", "session.jsonl.repair"]);
  });
});

describe("repairs of random damage", () => {
  // A damaged line and what was there before: an entry that can be read stays, wherever the damage is.
  const line = fc.oneof(
    arbitraryEntry().map((entry) => ({ bytes: Buffer.from(JSON.stringify(entry)), entry })),
    fc
      .oneof(fc.uint8Array({ maxLength: 30 }), fc.constantFrom(new Uint8Array(9), Buffer.from('{"type":"mess')))
      .map((bytes) => ({ bytes: Buffer.from(bytes).map((byte) => (byte === 10 ? 0 : byte)), entry: undefined })),
  );

  it("W17: keep all entries in order, account for every byte, and find nothing the second time", async () => {
    const file = await newLogPath();
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const text = Buffer.concat(lines.flatMap(({ bytes }) => [bytes, Buffer.from("\n")]));
        await writeFile(file, Buffer.concat([Buffer.from(HEADER), text]));
        const entries = lines.flatMap(({ entry }): readonly SessionEntry[] => (entry === undefined ? [] : [entry]));
        const { keptEntries, leftOut } = await repairSessionLog(file);
        expect(keptEntries).toBe(entries.length);
        expect(await readFile(file, "utf8")).toBe(linesOf(entries));
        const lost = lines.flatMap(({ entry, bytes }, index) =>
          entry === undefined ? [[index + 2, bytes.length + 1]] : [],
        );
        expect(leftOut.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(
          lost.reduce((sum, [, size = 0]) => sum + size, 0),
        );
        expect(leftOut.flatMap(({ firstLine, lastLine }) => numbersBetween(firstLine, lastLine))).toEqual(
          lost.map(([number]) => number),
        );
        expect(await repairSessionLog(file)).toEqual({ keptEntries, leftOut: [] });
      }),
      { numRuns },
    );
  });
});

function numbersBetween(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
