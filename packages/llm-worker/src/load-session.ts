import { History } from "./history.js";
import { FaultList } from "./invalid-options-error.js";
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
  const isSame = first.every((entry, index) => entries.length <= index || isEqual(entry, entries[index]));
  faults.expect(isSame, "history", "none, or the one that the log began with", history.messages);
  faults.throwIfAny();
  for (const entry of first.slice(entries.length)) await journal.append(entry);
  if (entries.length <= first.length) return;
  const { messages, open } = replaySession(entries, setup.limits);
  worker.history = new History(messages, open);
}

/** Both are plain JSON, with their fields in one order. */
function isEqual(entry: SessionEntry, kept: SessionEntry | undefined): boolean {
  return JSON.stringify(entry) === JSON.stringify(kept);
}
