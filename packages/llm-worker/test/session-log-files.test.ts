import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, link, mkdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSessionLog, repairSessionLog } from "../src/session-log.js";
import { appendTo, entriesIn, entryOf, HEADER, newLogPath, sessionErrorOf } from "./support/session-logs.js";

describe("what is no regular file", () => {
  const kinds = [
    ["a symbolic link", (file: string) => symlink(join(dirname(file), "other.jsonl"), file)],
    ["a directory", (file: string) => mkdir(file)],
    ["a named pipe", async (file: string) => expect(spawnSync("mkfifo", [file]).status).toBe(0)],
    ["a socket", listen],
  ] as const;

  it.each(kinds)("W17: %s is an error, to open and to repair, and leaves no lock", async (kind, make) => {
    const file = await newLogPath();
    await writeFile(join(dirname(file), "other.jsonl"), HEADER);
    await make(file);
    for (const use of [openSessionLog, repairSessionLog]) {
      const error = await sessionErrorOf(use(file));
      expect(error.code).toBe("irregular-file");
      expect(error.message).toContain(`${file}: error: expected a regular file, received ${kind}. To mend it, `);
    }
    await expect(stat(`${file}.lock`)).rejects.toThrow("ENOENT");
  });

  it.each(kinds)("W17: %s in the place of the lock is one too", async (kind, make) => {
    const file = await newLogPath();
    await make(`${file}.lock`);
    const error = await sessionErrorOf(openSessionLog(file));
    expect(error).toMatchObject({ code: "irregular-file", file: `${file}.lock` });
    expect(error.message).toContain(`received ${kind}`);
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });

  it("W17: a device is one", async () => {
    expect((await sessionErrorOf(openSessionLog("/dev/null"))).code).toBe("irregular-file");
  });

  it("W17: a directory on the way may be a link, and the lock is the same", async () => {
    const file = await newLogPath();
    await mkdir(join(dirname(file), "real"));
    await symlink("real", join(dirname(file), "link"));
    const log = await openSessionLog(join(dirname(file), "real/a.jsonl"));
    const error = await sessionErrorOf(openSessionLog(join(dirname(file), "link/a.jsonl")));
    expect(error.code).toBe("locked");
    await log.close();
  });
});

describe("a path that leads nowhere", () => {
  it("W17: makes no directory", async () => {
    const file = join(dirname(await newLogPath()), "none/session.jsonl");
    expect(await sessionErrorOf(openSessionLog(file))).toMatchObject({ code: "missing-directory", file });
    await writeFile(dirname(file), "a file");
    expect(await sessionErrorOf(openSessionLog(file))).toMatchObject({ code: "missing-directory", file });
  });

  it("W17: has nothing to repair", async () => {
    const file = await newLogPath();
    expect(await sessionErrorOf(repairSessionLog(file))).toMatchObject({ code: "missing-file", file });
    await expect(stat(`${file}.lock`)).rejects.toThrow("ENOENT");
  });

  it("W17: may be one that the system takes for too long", async () => {
    const file = join(dirname(await newLogPath()), "x".repeat(300));
    const error = await sessionErrorOf(openSessionLog(file));
    expect(error.code).toBe("inaccessible-file");
    expect(error.message).toContain("received ENAMETOOLONG");
  });
});

describe("a file that something else touches", () => {
  // Mutant seen to fail: no look at the size before an append.
  it.each([
    ["written to", (file: string) => writeFile(file, "{}\n", { flag: "a" })],
    ["cut", (file: string) => truncate(file, HEADER.length + 5)],
    ["deleted", (file: string) => rm(file)],
    ["replaced", async (file: string) => writeFile(`${file}.new`, HEADER).then(() => rename(`${file}.new`, file))],
  ])("W17: takes no more entries when it was %s, so that none is lost", async (_what, touch) => {
    const file = await newLogPath();
    const log = await openSessionLog(file);
    await log.append(entryOf("a"));
    await touch(file);
    const before = await readFile(file).catch(() => undefined);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await sessionErrorOf(log.append(entryOf("b")))).toMatchObject({ code: "changed-file", file });
    }
    expect(await readFile(file).catch(() => undefined)).toEqual(before);
    await log.close();
  });

  it("W17: may get another mode and a second name", async () => {
    const file = await newLogPath();
    const log = await openSessionLog(file);
    await chmod(file, 0o644);
    await link(file, `${file}.backup`);
    await log.append(entryOf("a"));
    await log.close();
    expect(await entriesIn(file)).toEqual([entryOf("a")]);
  });
});

describe("a file name that is taken", () => {
  it("W17: a lock file that is none of ours is left alone", async () => {
    const file = join(dirname(await newLogPath()), "yarn");
    await writeFile(`${file}.lock`, '# yarn lockfile v1\n{"pid":1}\n');
    const error = await sessionErrorOf(openSessionLog(file));
    expect(error).toMatchObject({ code: "irregular-file", file: `${file}.lock` });
    expect(await readFile(`${file}.lock`, "utf8")).toBe('# yarn lockfile v1\n{"pid":1}\n');
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });

  it("W17: an empty lock, or one of NULs as a power failure leaves it, is free", async () => {
    const file = await newLogPath();
    for (const text of ["", "\0".repeat(200), "\n\n"]) {
      await writeFile(`${file}.lock`, text);
      await appendTo(file, [entryOf("a")]);
      await expect(stat(`${file}.lock`)).rejects.toThrow("ENOENT");
    }
  });
});

async function listen(path: string): Promise<void> {
  const server = createServer().listen(path);
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
  });
  await once(server, "listening");
}
