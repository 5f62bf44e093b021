import { fstatSync } from "node:fs";
import { type FileHandle, open, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openSessionLog, repairSessionLog } from "../src/session-log.js";
import { entriesIn, entryOf, HEADER, newLogPath, sessionErrorOf } from "./support/session-logs.js";

const METHODS = ["write", "truncate", "datasync", "sync"] as const;

/** What is done to files from now on, in order: `write`, `truncate`, `datasync` or `sync`, and the file's number. */
async function recordCalls(file: string): Promise<string[]> {
  const calls: string[] = [];
  const probe = await open(file, "a");
  const prototype: FileHandle = Object.getPrototypeOf(probe);
  await probe.close();
  for (const method of METHODS) {
    const original: (...args: never) => unknown = prototype[method];
    const spy = vi.spyOn(prototype, method).mockImplementation(function (this: FileHandle, ...args: never) {
      calls.push(`${method} ${fstatSync(this.fd).ino}`);
      return Reflect.apply(original, this, args);
    });
    onTestFinished(() => spy.mockRestore());
  }
  return calls;
}

// Mutants seen to fail: no sync after the write; the directory is left out; sync without being asked.
it("W17: with fsync, an entry is on disk before it is acknowledged, and so are the name of the file and what is in it", async () => {
  const file = await newLogPath();
  const calls = await recordCalls(file);
  const log = await openSessionLog(file, { fsync: true });
  const [{ ino }, directory] = await Promise.all([stat(file), stat(dirname(file))]);
  expect(calls.splice(0).slice(-2)).toEqual([`datasync ${ino}`, `sync ${directory.ino}`]);
  await log.append(entryOf("a"));
  await log.append(entryOf("b"));
  expect(calls).toEqual([`write ${ino}`, `datasync ${ino}`, `write ${ino}`, `datasync ${ino}`]);
  await log.close();
});

it("W17: without fsync, nothing waits for the disk", async () => {
  const file = await newLogPath();
  const calls = await recordCalls(file);
  const log = await openSessionLog(file);
  await log.append(entryOf("a"));
  await log.close();
  expect(calls.filter((call) => call.includes("sync"))).toEqual([]);
  expect(calls.length).toBeGreaterThan(0);
});

it("W17: with fsync, an entry that did not get to the disk is not acknowledged, and is cut before the next", async () => {
  const file = await newLogPath();
  const log = await openSessionLog(file, { fsync: true });
  await log.append(entryOf("a"));
  const probe = await open(file);
  const spy = vi.spyOn(Object.getPrototypeOf(probe), "datasync").mockRejectedValueOnce(new Error("made up"));
  onTestFinished(() => spy.mockRestore());
  await probe.close();
  expect(await sessionErrorOf(log.append(entryOf("lost")))).toMatchObject({ code: "failed-write", file });
  await log.append(entryOf("b"));
  await log.close();
  expect(await entriesIn(file)).toEqual([entryOf("a"), entryOf("b")]);
});

it("W17: a repaired log is on disk before it takes the place of the damaged one", async () => {
  const file = await newLogPath();
  await writeFile(file, `${HEADER}damaged\n`);
  const calls = await recordCalls(file);
  await repairSessionLog(file);
  const [{ ino }, directory] = await Promise.all([stat(file), stat(dirname(file))]);
  expect(calls.filter((call) => call.includes("sync"))).toEqual([`sync ${ino}`, `sync ${directory.ino}`]);
});
