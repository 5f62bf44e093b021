import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { relative } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { InvalidOptionsError } from "../src/index.js";
import { openSessionLog, type SessionEntry } from "../src/session-log.js";
import {
  appendTo,
  entriesIn,
  entryOf,
  HEADER,
  linesOf,
  newLogPath,
  readEntries,
  sessionErrorOf,
} from "./support/session-logs.js";

const SECRET = "hunter2-a-secret-of-the-session";

describe("a session log", () => {
  it("W17: is lines of JSON, the version first", async () => {
    const file = await newLogPath();
    const entries = [entryOf("a\nb"), { type: "call-started", toolCallId: "1" } as const];
    await appendTo(file, entries);
    expect(await readFile(file, "utf8")).toBe(linesOf(entries));
    expect(HEADER.split("\n").length).toBe(2);
    expect(await entriesIn(file)).toEqual(entries);
  });

  // Mutant seen to fail: no mode given when it is made.
  it("W17: is for its owner alone, and so is its lock; a mode that somebody chose stays", async () => {
    const file = await newLogPath();
    const log = await openSessionLog(file);
    for (const path of [file, `${file}.lock`]) expect((await stat(path)).mode & 0o777).toBe(0o600);
    await log.close();
    await chmod(file, 0o640);
    await appendTo(file, [entryOf("a")]);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it("W17: escapes what is no Unicode, and what some take for a newline", async () => {
    const file = await newLogPath();
    const entries = [entryOf("\ud800 \u2028\u2029\0 \r\n \ud83d\ude00 \udc00")];
    await appendTo(file, entries);
    const bytes = await readFile(file);
    expect(bytes.filter((byte) => byte === 10).length).toBe(2);
    expect(bytes.includes(0)).toBe(false);
    expect(await entriesIn(file)).toEqual(entries);
  });

  it("W17: takes lines of several MB", async () => {
    const file = await newLogPath();
    const entries = [entryOf("ä".repeat(3_000_000)), entryOf("b"), entryOf("c".repeat(65_536))];
    await appendTo(file, entries);
    expect(await entriesIn(file)).toEqual(entries);
  });

  it("W17: keeps the order of appends that nobody awaits, and closes after them", async () => {
    const file = await newLogPath();
    const log = await openSessionLog(file);
    const entries = Array.from({ length: 50 }, (_, index) => entryOf(`${index} ${"x".repeat(1_000 - index)}`));
    const appended = entries.map((entry) => log.append(entry));
    await log.close();
    await Promise.all(appended);
    expect(await entriesIn(file)).toEqual(entries);
  });

  it("W17: reads what was acknowledged when the reading began, and may be left in the middle", async () => {
    const log = await openSessionLog(await newLogPath());
    const entries = [entryOf("a"), entryOf("b")];
    for (const entry of entries) await log.append(entry);
    const read: SessionEntry[] = [];
    for await (const entry of log.read()) {
      read.push(entry);
      await log.append(entryOf("later"));
    }
    expect(read).toEqual(entries);
    for await (const entry of log.read()) {
      expect(entry).toEqual(entries[0]);
      break;
    }
    await log.close();
  });

  it("W17: has an absolute path, whatever the working directory becomes", async () => {
    const file = await newLogPath();
    const log = await openSessionLog(relative(process.cwd(), file));
    expect(log.file).toBe(file);
    await log.close();
  });

  it("W17: takes what it reads as it is, but for the mark of an entry", async () => {
    const file = await newLogPath();
    await writeFile(file, `${HEADER}{"type":"unheard-of","__proto__":{"polluted":true}}\r\n`);
    const [entry] = await entriesIn(file);
    expect(JSON.stringify(entry)).toBe('{"type":"unheard-of","__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(entry)).toBe(Object.prototype);
  });
});

describe("a closed log", () => {
  it("W17: refuses everything but to be closed again", async () => {
    const log = await openSessionLog(await newLogPath());
    await log.append(entryOf("a"));
    await log.append(entryOf("b"));
    const reading = log.read()[Symbol.asyncIterator]();
    await reading.next();
    await Promise.all([log.close(), log.close()]);
    await log.close();
    for (const use of [() => log.append(entryOf("b")), () => readEntries(log), () => reading.next()]) {
      expect(await sessionErrorOf(use())).toMatchObject({ code: "closed", file: log.file });
    }
  });
});

describe("an entry that is none", () => {
  const circular: { type: "message"; message?: unknown } = { type: "message" };
  circular.message = circular;
  const unserialisable = { type: "message", message: { toJSON: () => Promise.reject } };
  const impostor = { type: "message", message: { role: "user", text: "a" }, toJSON: () => 5 };

  // Mutant seen to fail: an entry's own toJSON is called, and its line can never be read.
  it("W17: is refused before anything is written, and the next one is kept", async () => {
    const file = await newLogPath();
    const log = await openSessionLog(file);
    const append: (entry: never) => Promise<void> = (entry) => log.append(entry);
    for (const entry of [undefined, null, 5, "text", [], {}, { type: 5 }, circular, { type: "message", size: 5n }]) {
      const error = await sessionErrorOf(Reflect.apply(append, undefined, [entry]));
      expect(error).toMatchObject({ code: "invalid-entry", file });
    }
    expect(await readFile(file, "utf8")).toBe(HEADER);
    for (const entry of [unserialisable, impostor]) await Reflect.apply(append, undefined, [entry]);
    expect(await readEntries(log)).toEqual([{ type: "message" }, entryOf("a")]);
    await log.close();
  });
});

describe("a corrupt line", () => {
  const first = JSON.stringify(entryOf("a"));
  // Mutant seen to fail: the cause of the error is the one of JSON.parse, which quotes the line.
  it.each([
    ["no JSON", Buffer.from(`{"type":"message","${SECRET}`)],
    ["two lines in one", Buffer.from(`{"type":"mess${first}`)],
    ["no entry", Buffer.from(JSON.stringify({ [SECRET]: 1 }))],
    ["no object", Buffer.from(JSON.stringify(SECRET))],
    ["nothing", Buffer.from("")],
    ["not UTF-8", Buffer.concat([Buffer.from(`{"type":"${SECRET}`), Buffer.from([0xff]), Buffer.from('"}')])],
    ["NULs before another line", Buffer.alloc(20)],
  ])("W17: of %s in the middle is an error that names file and line, and shows nothing of it", async (_what, line) => {
    const file = await newLogPath();
    await writeFile(file, Buffer.concat([Buffer.from(`${HEADER}${first}\n`), line, Buffer.from(`\n${first}\n`)]));
    const log = await openSessionLog(file);
    const read: SessionEntry[] = [];
    const error = await sessionErrorOf(
      (async () => {
        for await (const entry of log.read()) read.push(entry);
      })(),
    );
    await log.close();
    expect(read).toEqual([entryOf("a")]);
    expect(error).toMatchObject({ code: "corrupt-line", file, line: 3 });
    expect(error.message).toBe(
      `${file}:3: error: expected an entry as JSON, received ${line.length} bytes that are none. To mend it, call repairSessionLog, which keeps every line that can be read`,
    );
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("hunter2");
  });
});

describe("the format version", () => {
  it("W17: of a newer package is an error that says so, and the file stays", async () => {
    const file = await newLogPath();
    const newer = '{"format":"pod-session-log","version":2,"more":true}\n{"type":"new"}\n{"type":"torn';
    await writeFile(file, newer);
    const error = await sessionErrorOf(openSessionLog(file));
    expect(error.code).toBe("newer-version");
    expect(error.message).toContain("received version 2, of a newer @pod/llm-worker. To mend it, update");
    expect(await readFile(file, "utf8")).toBe(newer);
  });

  // Mutant seen to fail: whatever has no newline is taken for a torn first line, and cut.
  it.each([
    ["without a newline", SECRET],
    ["of some lines", `${SECRET}\n${SECRET}\n`],
    ["of JSON lines", `{"type":"message"}\n`],
    ["that a log follows", `\n${HEADER}`],
    ["with a BOM", `\ufeff${HEADER}`],
    ["with a version of another kind", '{"format":"pod-session-log","version":"1"}\n'],
    ["with a long first line", `${HEADER.trim()}${" ".repeat(5_000)}\n`],
    ["of many NULs", "\0".repeat(70_000)],
  ])("W17: is looked for: a file %s is not one of ours, and stays as it is", async (_what, text) => {
    const file = await newLogPath();
    await writeFile(file, text);
    const error = await sessionErrorOf(openSessionLog(file));
    expect(error).toMatchObject({ code: "not-a-session-log", file });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("hunter2");
    expect(await readFile(file, "utf8")).toBe(text);
    await expect(stat(`${file}.lock`)).rejects.toThrow("ENOENT");
  });

  it("W17: is written again where it was torn, at every byte, and where a power failure left NULs", async () => {
    const file = await newLogPath();
    for (let bytes = 0; bytes < HEADER.length; bytes += 1) {
      for (const torn of [HEADER.slice(0, bytes), HEADER.slice(0, bytes).padEnd(4_096, "\0")]) {
        await writeFile(file, torn);
        await appendTo(file, [entryOf("a")]);
        expect(await readFile(file, "utf8")).toBe(linesOf([entryOf("a")]));
      }
    }
  });
});

describe("wrong arguments", () => {
  it("W17: are an error that tells them all", async () => {
    const open: (...args: never) => Promise<unknown> = openSessionLog;
    for (const file of [undefined, "", 5, "a\0b"]) {
      const attempt = Reflect.apply(open, undefined, [file, { fsync: "yes" }]);
      await expect(attempt).rejects.toBeInstanceOf(InvalidOptionsError);
      await expect(attempt).rejects.toMatchObject({
        faults: [
          'fsync: expected a boolean, received "yes"',
          expect.stringMatching(/^file: expected the path of a ses/),
        ],
      });
    }
    await expect(Reflect.apply(open, undefined, ["a", null])).rejects.toBeInstanceOf(InvalidOptionsError);
  });
});
