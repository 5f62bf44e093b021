import { History } from "./history.js";
import { FaultList } from "./invalid-options-error.js";
import { entriesOf, replaySession } from "./replay-session.js";
import type { WorkerState } from "./worker-state.js";

/**
 * Takes the session over from the log. An empty log begins with the history that the worker was made with.
 *
 * @throws InvalidOptionsError where the log makes no sense, or tells of a session beside a history that was handed in.
 */
export async function loadSession(worker: WorkerState): Promise<void> {
  const { journal, history, setup } = worker;
  if (journal.log === undefined) return;
  const session = await replaySession(await journal.log.read(), setup.limits);
  const isEmpty = history.messages.length === 0 && history.open === undefined;
  if (session === undefined) {
    for (const entry of entriesOf(history.messages, history.open)) await journal.append(entry);
    return;
  }
  const faults = new FaultList();
  faults.expect(isEmpty, "history", "none, since the log tells of a session", history.messages);
  faults.throwIfAny();
  worker.history = new History(session.messages, session.open);
}
