import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { checkHistory } from "@pod/test-harness";
import { describe, expect, it } from "vitest";
import { openSessionLog } from "../src/session-log.js";
import { findCrashFaults } from "./support/crash-faults.js";
import { prepareCrashes } from "./support/crash-process.js";
import { ALL_CALL_IDS, ALL_ENTRIES, goOn, workerOn } from "./support/crash-session.js";
import { messagesSent } from "./support/messages-sent.js";
import { entriesIn, newLogPath, readEntries } from "./support/session-logs.js";
import { resultsIn } from "./support/with-worker.js";

const kills = process.env.CI ? 200 : 20;
/** Bytes between two cuts. */
const stride = process.env.CI ? 1 : 10;
/** A process takes a tenth of a second to start, and some on a busy machine. */
const patience = 1_200_000;
const MAX_LINE_BYTES = 1_024;

describe("a session whose process is killed", () => {
  // Mutants seen to fail: a call runs before its start is written down; a result is not written down; resume runs finished
  // calls.
  it(
    "W16 W17 W3: loses nothing that was acknowledged, runs no finished call twice, and comes to its end",
    async () => {
      const crashAfter = await prepareCrashes();
      let left = kills;
      const killOnAndOn = async () => {
        const file = await newLogPath();
        for (let session = 0; left > 0; session += 1) {
          const place = await newPlace(`${file}-${session}`);
          for (let kept = 0; kept < ALL_ENTRIES && left > 0; ) {
            const { wasKilled, acknowledged } = await crashAfter(randomInt(20), place.log, place.effects);
            if (wasKilled) left -= 1;
            const copy = await copyPlace(place, `${place.log}-copy`);
            const entries = await entriesIn(copy.log);
            expect(entries.length - kept - acknowledged.length).toBeOneOf([0, 1]);
            expect(entries.slice(kept, kept + acknowledged.length).map((entry) => JSON.stringify(entry))).toEqual(
              acknowledged,
            );
            kept = entries.length;
            await expectResumed(copy);
          }
        }
      };
      await Promise.all([killOnAndOn(), killOnAndOn()]);
    },
    patience,
  );
});

describe("a session log that is cut", () => {
  // Mutants seen to fail: a result is not written down; resume runs finished calls.
  it(
    "W16 W17 W3: at any byte of its last lines, or in any other line, loses no whole line, and is resumed to its end",
    async () => {
      const whole = await newPlace(await newLogPath());
      await expectResumed(whole);
      const bytes = await readFile(whole.log);
      const lineEnds = [...bytes.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []));
      const lastLines = lineEnds.at(-4) ?? 0;
      const cuts = lineEnds.map((end, line) => randomInt(lineEnds[line - 1] ?? 0, end));
      for (let at = lastLines; at <= bytes.length; at += stride) cuts.push(at);
      for (const cut of cuts) {
        const place = { log: `${whole.log}-cut`, effects: `${whole.log}-cut-effects` };
        await writeFile(place.log, bytes.subarray(0, cut));
        const entries = await entriesIn(place.log);
        // The first line is the header.
        expect(entries.length).toBe(Math.max(0, lineEnds.filter((end) => end <= cut).length - 1));
        const ran = entries.flatMap((entry) => (entry.type === "call-finished" ? [entry.result.toolCallId] : []));
        await writeFile(place.effects, ran.map((id) => `${id}\n`).join(""));
        await expectResumed(place);
      }
    },
    patience,
  );
});

interface Place {
  /** The files of the session log and of the side effects. */
  readonly log: string;
  readonly effects: string;
}

async function newPlace(log: string): Promise<Place> {
  const effects = `${log}.effects`;
  await writeFile(effects, "");
  return { log, effects };
}

/** Without the lock, which the next process is to find. */
async function copyPlace(place: Place, log: string): Promise<Place> {
  const copy = await newPlace(log);
  await copyFile(place.effects, copy.effects);
  // It may have been killed before there was a log.
  if (existsSync(place.log)) await copyFile(place.log, copy.log);
  else await writeFile(copy.log, "");
  return copy;
}

/** Resumes a session to its end with a new worker, and once more with another when it has ended. */
async function expectResumed({ log: file, effects }: Place): Promise<void> {
  const log = await openSessionLog(file);
  const readTraces = async () => ({ entries: await readEntries(log), effects: await readLines(effects) });
  const crash = await readTraces();
  const worker = workerOn(log, effects);
  expect(await goOn(worker, log)).toEqual({ type: "finished", text: "Done." });
  const end = await readTraces();
  expect(findCrashFaults(crash, end, worker.history)).toEqual([]);
  expect(resultsIn(worker.history).map(({ toolCallId }) => toolCallId)).toEqual(ALL_CALL_IDS);
  expect(checkHistory(await messagesSent(worker.history))).toBeUndefined();
  const again = workerOn(log, effects);
  expect(await again.resume()).toEqual({ type: "finished", text: "Done." });
  expect(again.history).toEqual(worker.history);
  expect(await readTraces()).toEqual(end);
  await log.close();
  const lineBytes = (await readLines(file)).map((line) => Buffer.byteLength(line) + 1);
  expect(Math.max(...lineBytes)).toBeLessThanOrEqual(MAX_LINE_BYTES);
}

async function readLines(file: string): Promise<readonly string[]> {
  return (await readFile(file, "utf8")).split("\n").slice(0, -1);
}
