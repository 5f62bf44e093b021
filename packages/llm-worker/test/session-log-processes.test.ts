import { randomInt } from "node:crypto";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openSessionLog } from "../src/session-log.js";
import { entryOfSize, startLogProcess } from "./support/session-log-process.js";
import { appendTo, DEAD_LOCK, entriesIn, entryOf, newLogPath, sessionErrorOf } from "./support/session-logs.js";

const kills = process.env.CI ? 20 : 2;
const rounds = process.env.CI ? 200 : 25;
/** A process takes a second to start, and some on a busy machine. */
const patience = 240_000;

describe("a process that is killed while it appends", () => {
  it(
    "W17: has lost nothing that was acknowledged, and holds nobody up",
    async () => {
      const file = await newLogPath();
      for (let kill = 0; kill < kills; kill += 1) {
        await Promise.all([rm(file, { force: true }), rm(`${file}.acknowledged`, { force: true })]);
        const child = await startLogProcess();
        expect(await child.ask({ type: "open", file })).toBe("done");
        await child.ask({ type: "append-on-and-on", acknowledged: `${file}.acknowledged` });
        for (let left = randomInt(300); left > 0; left -= 1) await child.nextAnswer();
        expect((await sessionErrorOf(openSessionLog(file))).code).toBe("locked");
        await child.kill();
        const acknowledged = (await stat(`${file}.acknowledged`)).size;
        const entries = await entriesIn(file);
        expect(entries.length - acknowledged).toBeOneOf([0, 1]);
        expect(entries).toEqual(entries.map((_, number) => entryOfSize(number, number % 1_000)));
        await appendTo(file, [entryOf("next")]);
        expect((await entriesIn(file)).at(-1)).toEqual(entryOf("next"));
      }
    },
    patience,
  );
});

describe("processes that find the owner dead at once", () => {
  // Mutant seen to fail: every claim counts whose owner was dead, whatever it replaces.
  it(
    "W17: have one winner",
    async () => {
      const file = await newLogPath();
      const children = await Promise.all(Array.from({ length: 3 }, () => startLogProcess()));
      for (let round = 0; round < rounds; round += 1) {
        await writeFile(`${file}.lock`, DEAD_LOCK);
        const answers = await Promise.all(children.map((child) => child.ask({ type: "open", file })));
        expect(answers.toSorted()).toEqual(["done", "locked", "locked"]);
        const winner = children[answers.indexOf("done")];
        expect(await winner?.ask({ type: "append", number: round, bytes: 10 })).toBe("done");
        expect(await winner?.ask({ type: "close" })).toBe("done");
      }
      expect(await entriesIn(file)).toEqual(Array.from({ length: rounds }, (_, round) => entryOfSize(round, 10)));
    },
    patience,
  );
});

describe("a disk that is full", () => {
  // Mutants seen to fail: a short write counts as a whole one; the torn line stays in the file.
  it(
    "W17: takes a part of a line, which is cut, and smaller entries after it",
    async () => {
      const file = await newLogPath();
      const child = await startLogProcess(2_000);
      await child.ask({ type: "open", file });
      const sizes = [400_000, 400_000, 400_000, 150_000, 400_000, 20_000, 10];
      const answers: string[] = [];
      for (const [number, bytes] of sizes.entries()) answers.push(await child.ask({ type: "append", number, bytes }));
      const kept = sizes.flatMap((bytes, number) => (answers[number] === "done" ? [entryOfSize(number, bytes)] : []));
      expect(answers.slice(0, 4)).toEqual(["done", "done", "failed-write", "done"]);
      expect(answers.slice(4)).toEqual(["failed-write", "done", "done"]);
      await child.kill();
      expect((await readFile(file, "utf8")).split("\n").length).toBe(kept.length + 2);
      expect(await entriesIn(file)).toEqual(kept);
    },
    patience,
  );
});
