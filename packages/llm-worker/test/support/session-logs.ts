import { mkdtemp, realpath, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { nastyText } from "@pod/test-harness/laws";
import fc from "fast-check";
import { onTestFinished } from "vitest";
import { openSessionLog, type SessionEntry, SessionLogError, type SessionLogOptions } from "../../src/session-log.js";

export const HEADER = '{"format":"pod-session-log","version":1}\n';

/** The path of a log in a new directory that is gone after the test. */
export async function newLogPath(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pod-session-log-")));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return join(directory, "session.jsonl");
}

/** A user's message. */
export function entryOf(text: string): SessionEntry {
  return { type: "message", message: { role: "user", text } };
}

/** The lines of a log with these entries, as they are to be. */
export function linesOf(entries: readonly SessionEntry[]): string {
  return HEADER + entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

export async function readEntries(log: { read(): AsyncIterable<SessionEntry> }): Promise<readonly SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of log.read()) entries.push(entry);
  return entries;
}

/** What a log holds: opened, read and closed. */
export async function entriesIn(file: string): Promise<readonly SessionEntry[]> {
  const log = await openSessionLog(file);
  try {
    return await readEntries(log);
  } finally {
    await log.close();
  }
}

export async function appendTo(
  file: string,
  entries: readonly SessionEntry[],
  options?: SessionLogOptions,
): Promise<void> {
  const log = await openSessionLog(file, options);
  for (const entry of entries) await log.append(entry);
  await log.close();
}

export async function sessionErrorOf(attempt: Promise<unknown>): Promise<SessionLogError> {
  const error = await attempt.catch((reason: unknown) => reason);
  if (error instanceof SessionLogError) return error;
  throw new Error(`no SessionLogError: ${error}`);
}

/** A lock file's text, as an owner leaves it. */
export function lockOf(owner: { readonly pid: number; readonly start?: string; readonly host?: string }): string {
  return `\n${JSON.stringify({ host: hostname(), ...owner, id: `made-up-${owner.pid}`, replaces: null })}\n`;
}

/** A lock whose owner has died: no process has this pid. */
export const DEAD_LOCK: string = lockOf({ pid: 2 ** 31 - 2, start: "an-earlier-boot/1" });

/** Entries of every type, with texts that have broken somebody's file. */
export function arbitraryEntry(): fc.Arbitrary<SessionEntry> {
  return entryWith(fc.oneof(nastyText(), awkwardText()));
}

/** The same with texts of a few bytes. */
export function shortEntry(): fc.Arbitrary<SessionEntry> {
  return entryWith(fc.oneof(fc.string({ unit: "binary", maxLength: 2 }), awkwardText()));
}

function awkwardText(): fc.Arbitrary<string> {
  return fc.constantFrom("", "\n", "\u2028\u2029", "\0", "\ud800", "\r\n", '"\\', "\ud83d\ude00");
}

function entryWith(text: fc.Arbitrary<string>): fc.Arbitrary<SessionEntry> {
  const toolCallId = fc.string({ maxLength: 5 });
  const result = fc.record({ toolCallId, toolName: text, summary: text, content: text, isError: fc.boolean() });
  const results = fc.array(result, { maxLength: 2 });
  return fc.oneof(
    fc.record({ type: fc.constant("message"), message: fc.record({ role: fc.constant("user"), text }) }),
    fc.record({
      type: fc.constant("message"),
      message: fc.record({
        role: fc.constant("assistant"),
        parts: fc.tuple(
          fc.record({
            type: fc.constant("tool-call"),
            toolCallId,
            toolName: text,
            input: fc.jsonValue({ maxDepth: 1 }),
          }),
        ),
      }),
    }),
    fc.record({ type: fc.constant("call-started"), toolCallId }),
    fc.record({ type: fc.constant("call-finished"), result }),
    fc.record({ type: fc.constantFrom("batch-finished", "batch-recapped"), lowered: results }),
  );
}
