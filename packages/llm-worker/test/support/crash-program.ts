import { writeSync } from "node:fs";
import { openSessionLog, type SessionLog } from "../../src/session-log.js";
import { goOn, workerOn } from "./crash-session.js";

// The program of a crashing process. Tells on standard output that it begins, then each entry whose append returned, one
// line each; written at once, so that what it told outlives it.
const [file = "", effects = ""] = process.argv.slice(2);
writeSync(1, "\n");
const log = await openSessionLog(file);
const acknowledging: SessionLog = {
  read: () => log.read(),
  append: async (entry) => {
    await log.append(entry);
    writeSync(1, `${JSON.stringify(entry)}\n`);
  },
};
await goOn(workerOn(acknowledging, effects), log);
