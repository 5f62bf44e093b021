import { appendFileSync } from "node:fs";
import { openSessionLog, type SessionLogFile } from "../../src/session-log.js";
import { entryOfSize, type LogRequest } from "./session-log-process.js";

/** The program of a LogProcess: it does what it is asked, and answers with `done` or the code of the error. */
let log: SessionLogFile | undefined;

process.on("message", (request: LogRequest) => {
  answer(request).then(
    () => process.send?.("done"),
    (error) => process.send?.(String(error.code)),
  );
});
process.send?.("ready");

async function answer(request: LogRequest): Promise<void> {
  switch (request.type) {
    case "open":
      log = await openSessionLog(request.file);
      return;
    case "append":
      return log?.append(entryOfSize(request.number, request.bytes));
    case "append-on-and-on":
      for (let number = 0; ; number += 1) {
        await log?.append(entryOfSize(number, number % 1_000));
        appendFileSync(request.acknowledged, ".");
        process.send?.("acknowledged");
      }
    case "close":
      return log?.close();
  }
}
