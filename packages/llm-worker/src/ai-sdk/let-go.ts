import type { LanguageModelStreamReader } from "./language-model.js";

/** Milliseconds that a stream may go on after its finish. Providers end theirs at once; some proxies keep it open. */
const GRACE_MS = 1_000;
/** Parts that may come after the finish. One for a millisecond is more than any provider or proxy sends. */
const GRACE_PARTS = 1_000;

/** Cancels the stream. Never rejects: a stream that has failed says so again, and nobody waits for this. */
export async function letGo(reader: LanguageModelStreamReader, reason?: unknown): Promise<void> {
  try {
    await reader.cancel(reason);
  } catch {
    // Nothing new.
  }
}

/**
 * Reads what comes after the finish, and throws it away: a connection whose answer is read to its end serves the next
 * request. One that does not end is let go of, or it would keep the process alive; one whose parts are ready at once would
 * let no timer fire, so they are counted too. Never rejects.
 */
export async function letGoAtEnd(reader: LanguageModelStreamReader): Promise<void> {
  const timer = setTimeout(() => void letGo(reader), GRACE_MS);
  // The open connection keeps the process alive until then, the timer alone must not. (Edge runtimes' timers are numbers.)
  timer.unref?.();
  try {
    for (let parts = 0; parts <= GRACE_PARTS; parts++) if ((await reader.read()).done) return;
    void letGo(reader);
  } catch {
    // The answer is whole all the same.
  } finally {
    clearTimeout(timer);
  }
}
