import type { SessionEntry, SessionLog } from "../../src/session-entry.js";

/** A log in memory, as a service's database would keep it: each entry as JSON, read back as objects of its own. */
export interface MemoryLog extends SessionLog {
  readonly lines: readonly string[];
  readonly entries: readonly SessionEntry[];
}

/** `failAt` are the appends, from 0, that are refused. */
export function memoryLog(lines: readonly string[] = [], failAt: readonly number[] = []): MemoryLog {
  const kept = [...lines];
  let appends = 0;
  const read = () => kept.map((line): SessionEntry => JSON.parse(line));
  return {
    append: async (entry) => {
      if (failAt.includes(appends++)) throw new Error("the disk is full");
      kept.push(JSON.stringify(entry));
    },
    read,
    get lines() {
      return [...kept];
    },
    get entries() {
      return read();
    },
  };
}
