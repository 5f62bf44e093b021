import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type FileHandle, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { findOwner, formatClaim, type LockClaim } from "../src/session-log/lock-claims.js";
import { identifySelf, isRunning } from "../src/session-log/process-start.js";
import { openSessionLog, repairSessionLog } from "../src/session-log.js";
import { appendTo, DEAD_LOCK, entriesIn, entryOf, lockOf, newLogPath, sessionErrorOf } from "./support/session-logs.js";

/** Elsewhere nothing tells when a process started. */
const systems = ["/proc"].filter((directory) => existsSync(`${directory}/self/stat`));

describe("the lock", () => {
  it("W17: holds off the same process, and goes with the log", async () => {
    const file = await newLogPath();
    const log = await openSessionLog(file);
    for (const use of [openSessionLog, repairSessionLog]) {
      const error = await sessionErrorOf(use(file));
      expect(error).toMatchObject({ code: "locked", file });
      expect(error.message).toBe(
        `${file}: error: expected no other writer, received one of this process, ${process.pid}. To mend it, use the log that is open, or close it first`,
      );
    }
    await log.append(entryOf("a"));
    await log.close();
    await expect(stat(`${file}.lock`)).rejects.toThrow("ENOENT");
    expect(await entriesIn(file)).toEqual([entryOf("a")]);
  });

  it("W17: of a living process is an error that names file, process and remedy", async () => {
    const file = await newLogPath();
    const { pid } = await startSleeper();
    await writeFile(`${file}.lock`, lockOf({ pid }));
    const error = await sessionErrorOf(openSessionLog(file));
    expect(error).toMatchObject({ code: "locked", file });
    expect(error.message).toBe(
      `${file}: error: expected no other writer, received one of process ${pid}, which is running. To mend it, end that process, or delete ${file}.lock if it is no worker`,
    );
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });

  it("W17: of a process that was killed is replaced at once", async () => {
    const file = await newLogPath();
    const sleeper = await startSleeper();
    const lock = lockOf({ pid: sleeper.pid });
    await writeFile(`${file}.lock`, lock);
    await sleeper.kill();
    const log = await openSessionLog(file);
    expect((await readFile(`${file}.lock`, "utf8")).startsWith(lock)).toBe(true);
    await log.close();
    await expect(stat(`${file}.lock`)).rejects.toThrow("ENOENT");
  });

  it("W17: of another machine is an error that says how to go on", async () => {
    const file = await newLogPath();
    await writeFile(`${file}.lock`, lockOf({ pid: 2 ** 31 - 2, host: "an-other-machine" }));
    const error = await sessionErrorOf(openSessionLog(file));
    expect(error.code).toBe("locked");
    expect(error.message).toContain(
      `one of process ${2 ** 31 - 2} on "an-other-machine", which cannot be asked from here. To mend it, make sure that it has ended, and delete ${file}.lock`,
    );
    await rm(`${file}.lock`);
    await appendTo(file, [entryOf("a")]);
  });

  it("W17: that somebody deleted by hand, and another took, is not taken away by the first", async () => {
    const file = await newLogPath();
    const first = await openSessionLog(file);
    await rm(`${file}.lock`);
    const second = await openSessionLog(file);
    await first.close();
    expect((await sessionErrorOf(openSessionLog(file))).code).toBe("locked");
    await rm(`${file}.lock`);
    await second.close();
    await expect(stat(`${file}.lock`)).rejects.toThrow("ENOENT");
  });

  // Mutant seen to fail: no look whether the lock is still in its place.
  it("W17: that another won and gave back meanwhile, so that the claim stands in a deleted file, is claimed again", async () => {
    const file = await newLogPath();
    const probe = await open(`${file}.probe`, "w");
    const prototype: FileHandle = Object.getPrototypeOf(probe);
    await probe.close();
    const { write } = prototype;
    const spy = vi.spyOn(prototype, "write").mockImplementationOnce(async function (this: FileHandle, data, position) {
      await rm(`${file}.lock`);
      return write.call(this, data, position);
    });
    onTestFinished(() => spy.mockRestore());
    const log = await openSessionLog(file);
    expect((await sessionErrorOf(openSessionLog(file))).code).toBe("locked");
    await log.close();
    await expect(stat(`${file}.lock`)).rejects.toThrow("ENOENT");
  });

  // Mutant seen to fail: the last claim wins.
  it("W17: has one winner, however many find its owner dead at once", async () => {
    const file = await newLogPath();
    for (let round = 0; round < 20; round += 1) {
      await writeFile(`${file}.lock`, DEAD_LOCK);
      const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => openSessionLog(file)));
      const won = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
      const lost = attempts.flatMap((attempt) => (attempt.status === "rejected" ? [attempt.reason.code] : []));
      expect([won.length, lost]).toEqual([1, Array.from({ length: 7 }, () => "locked")]);
      await won[0]?.close();
    }
  });
});

describe("the claims in a lock", () => {
  const claim = (id: string, replaces: string | null): LockClaim => ({ pid: 1, host: "a", id, replaces });
  const ownerOf = (...claims: readonly LockClaim[]) => findOwner(claims.map(formatClaim).join("")).owner?.id;

  it("W17: count in the order of the file, each once, for everybody who reads", () => {
    expect(ownerOf()).toBe(undefined);
    expect(ownerOf(claim("a", null), claim("b", null))).toBe("a");
    expect(ownerOf(claim("a", null), claim("b", "a"), claim("c", "a"))).toBe("b");
    // c lost against b, saw b dead, and claims again.
    expect(ownerOf(claim("a", null), claim("b", "a"), claim("c", "a"), claim("c", "b"))).toBe("c");
    expect(ownerOf(claim("a", null), claim("b", "x"))).toBe("a");
  });

  it("W17: survive half a line of one that died, and a line that is none", () => {
    const text = `${formatClaim(claim("a", null))}\n{"pid":1,"ho${formatClaim(claim("b", "a"))}{"pid":-1}\n`;
    expect(findOwner(text)).toMatchObject({ owner: { id: "b" }, isForeign: false });
    expect(findOwner('{"pid":1}\n')).toEqual({ owner: undefined, isForeign: true });
    expect(findOwner(formatClaim({ ...claim("a", null), pid: 0 })).isForeign).toBe(true);
  });
});

describe.each(systems)("a process of a system with %s", () => {
  // Mutant seen to fail: only the pid is looked at.
  it("W17: that is dead loses its lock where another has its pid now, this one included", async () => {
    const file = await newLogPath();
    const { pid } = await startSleeper();
    const { start = "" } = await identifySelf();
    expect(start).toMatch(/^[0-9a-f-]{36}\/\d+$/);
    for (const [pidNow, before] of [
      [pid, start],
      [process.pid, `${start}0`],
      [process.pid, `another-boot/${start.split("/")[1]}`],
    ] as const) {
      await writeFile(`${file}.lock`, lockOf({ pid: pidNow, start: before }));
      await appendTo(file, [entryOf("a")]);
    }
    expect((await entriesIn(file)).length).toBe(3);
  });

  it("W17: that ended and that nobody has buried does not run", async () => {
    // The shell becomes a sleeper, which waits for no child; then its child reads to the end of its input, and ends.
    const shell = spawn("sh", ["-c", "cat <&3 & echo $!; exec sleep 1000"], {
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
    onTestFinished(() => void shell.kill("SIGKILL"));
    if (shell.stdout === null) throw new Error("the shell has no output");
    const [line] = await once(shell.stdout, "data");
    const zombie = Number(line);
    await until(async () => (await readFile(`/proc/${shell.pid}/comm`, "latin1")) === "sleep\n");
    shell.stdio[3]?.destroy();
    await until(async () => (await readFile(`/proc/${zombie}/stat`, "latin1")).includes(") Z "));
    expect(await isRunning({ pid: zombie, start: "whenever" })).toBe(false);
    expect(await isRunning({ pid: shell.pid ?? 0 })).toBe(true);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

/** A process that does nothing. */
async function startSleeper(): Promise<{ readonly pid: number; kill(): Promise<void> }> {
  const child = spawn("sleep", ["1000"], { stdio: "ignore" });
  await once(child, "spawn");
  const ended = once(child, "exit");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  return { pid: child.pid ?? 0, kill };
}
