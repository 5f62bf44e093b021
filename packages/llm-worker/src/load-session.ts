import type { Truncation } from "@pod/tool-output-cap";
import { History } from "./history.js";
import { FaultList } from "./invalid-options-error.js";
import type { ToolResult } from "./messages.js";
import { entriesOf, replaySession } from "./replay-session.js";
import type { SessionEntry } from "./session-entry.js";
import type { WorkerState } from "./worker-state.js";

/**
 * Takes the session over from the log. A history that was handed in is what the log begins with: what of it is not there
 * yet, since the log is new or its worker died, is written down first.
 *
 * @throws InvalidOptionsError where the log makes no sense, or began with something else than the history.
 */
export async function loadSession(worker: WorkerState): Promise<void> {
  const { journal, history, setup } = worker;
  if (journal.log === undefined) return;
  const entries: SessionEntry[] = [];
  for await (const entry of await journal.log.read()) entries.push(entry);
  const first = [...entriesOf(history.messages, history.open)];
  const faults = new FaultList();
  const isSame = first.every((entry, index) => entries.length <= index || isSameUncut(entry, entries[index]));
  faults.expect(isSame, "history", "none, or the one that the log began with", history.messages);
  faults.throwIfAny();
  for (const entry of first.slice(entries.length)) await journal.append(entry);
  if (entries.length === 0) return;
  // As the log has it, also where it has no more: under the limits of today the history would be cut otherwise.
  const { messages, open } = replaySession([...entries, ...first.slice(entries.length)], setup.limits);
  worker.history = new History(messages, open);
}

/**
 * Whether both tell the same but for what a cut did: limits may have changed since, and what a counter has learned. Both are
 * plain JSON, with their fields in one order.
 */
function isSameUncut(entry: SessionEntry, kept: SessionEntry | undefined): boolean {
  return JSON.stringify(leaveOutCuts(entry)) === JSON.stringify(leaveOutCuts(kept));
}

function leaveOutCuts(entry: SessionEntry | undefined): unknown {
  if (entry?.type !== "call-finished") return entry;
  const { content, note, truncation, noteTruncation, ...result }: Partial<ToolResult> = Object(entry.result);
  return { ...result, bytes: bytesBefore(content, truncation), noteBytes: bytesBefore(note, noteTruncation) };
}

/** UTF-8 bytes of a text before any cut. */
function bytesBefore(text: unknown, truncation: Truncation | undefined): number | undefined {
  return truncation?.originalBytes ?? (typeof text === "string" ? Buffer.byteLength(text) : undefined);
}
