import type { SessionEntry, SessionLog } from "./session-entry.js";

/** The worker's hand on its log: one entry at a time, and none after one that failed, since the rest would not fit to it. */
export class Journal {
  readonly log: SessionLog | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(log: SessionLog | undefined) {
    this.log = log;
  }

  /** Rejects with the failure of an earlier entry, where there was one. */
  settled(): Promise<void> {
    return this.#last;
  }

  /** Resolves when the entry is kept, at once where there is no log. After a failure it always rejects with that failure. */
  append(entry: SessionEntry): Promise<void> {
    const { log } = this;
    if (log === undefined) return this.#last;
    this.#last = this.#last.then(() => log.append(entry));
    // Whoever appends hears of it; the chain itself is nobody's promise.
    this.#last.catch(() => {});
    return this.#last;
  }
}
