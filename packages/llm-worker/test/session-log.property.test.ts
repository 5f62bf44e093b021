import { readFile, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openSessionLog, type SessionEntry } from "../src/session-log.js";
import {
  appendTo,
  arbitraryEntry,
  entriesIn,
  HEADER,
  newLogPath,
  readEntries,
  shortEntry,
} from "./support/session-logs.js";

const numRuns = process.env.CI ? 15 : 2;
const NEXT = { type: "call-started", toolCallId: "next" } as const;

describe("a torn log", () => {
  // Mutants seen to fail: a tail without a newline is not cut before the next append; it is read; one whole line more is cut.
  it("W17: cut at any byte of its last three lines, holds all whole lines, and takes the next", async () => {
    const file = await newLogPath();
    const entries = fc.array(shortEntry(), { minLength: 3, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(entries, fc.boolean(), async (entries, isFilledUp) => {
        const { whole, lineEnds } = await writeLog(file, entries);
        for (let bytes = lineEnds.at(-4) ?? 0; bytes < whole.length; bytes += 1) {
          const torn = Buffer.from(whole);
          // After a power failure, the size may be there and the data not.
          await writeFile(file, isFilledUp ? torn.fill(0, bytes) : torn.subarray(0, bytes));
          const kept = entries.slice(0, lineEnds.filter((end) => end <= bytes).length - 1);
          await expectGoesOn(file, kept);
        }
      }),
      { numRuns },
    );
  });

  it("W17: with NULs in its last lines, newlines among them, holds all lines before", async () => {
    const file = await newLogPath();
    const entries = fc.array(arbitraryEntry(), { minLength: 3, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(entries, fc.integer({ min: 1, max: 2 }), fc.nat(), async (entries, lostLines, seed) => {
        const { whole, lineEnds } = await writeLog(file, entries);
        const start = lineEnds.at(-1 - lostLines) ?? 0;
        // One NUL in each of the lost lines is enough, the newline aside.
        for (const end of lineEnds.slice(-lostLines)) {
          const from = lineEnds.filter((each) => each < end).at(-1) ?? 0;
          whole[from + (seed % (end - from - 1))] = 0;
        }
        await writeFile(file, whole);
        await expectGoesOn(file, entries.slice(0, lineEnds.indexOf(start)));
      }),
      { numRuns: 10 * numRuns },
    );
  });

  it("W17: in the first line holds nothing, and takes entries", async () => {
    const file = await newLogPath();
    for (let bytes = 0; bytes < HEADER.length; bytes += 1) {
      await writeFile(file, HEADER.slice(0, bytes));
      await expectGoesOn(file, []);
    }
  });
});

describe("a whole log", () => {
  it("W17: gives back what was appended, whoever appended it", async () => {
    const file = await newLogPath();
    const sessions = fc.array(fc.array(arbitraryEntry(), { maxLength: 8 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(sessions, fc.boolean(), async (sessions, fsync) => {
        await writeFile(file, "");
        for (const entries of sessions) await appendTo(file, entries, { fsync });
        expect(await entriesIn(file)).toEqual(asJson(sessions.flat()));
      }),
      { numRuns: 10 * numRuns },
    );
  });
});

async function writeLog(file: string, entries: readonly SessionEntry[]) {
  await writeFile(file, "");
  await appendTo(file, entries);
  const whole = await readFile(file);
  const lineEnds = [...whole.entries()].flatMap(([index, byte]) => (byte === 10 ? [index + 1] : []));
  expect(lineEnds.length).toBe(entries.length + 1);
  return { whole, lineEnds };
}

async function expectGoesOn(file: string, kept: readonly SessionEntry[]): Promise<void> {
  const log = await openSessionLog(file);
  expect(await readEntries(log)).toEqual(asJson(kept));
  await log.append(NEXT);
  await log.close();
  expect(await entriesIn(file)).toEqual(asJson([...kept, NEXT]));
}

function asJson(entries: readonly SessionEntry[]): unknown {
  return JSON.parse(JSON.stringify(entries));
}
