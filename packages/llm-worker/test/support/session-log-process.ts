import { spawn } from "node:child_process";
import { on, once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { SessionEntry } from "../../src/session-log.js";

/** `append-on-and-on` answers `acknowledged` for each entry, for which it also writes a dot into a file, and never ends. */
export type LogRequest =
  | { readonly type: "open"; readonly file: string }
  | { readonly type: "append"; readonly number: number; readonly bytes: number }
  | { readonly type: "append-on-and-on"; readonly acknowledged: string }
  | { readonly type: "close" };

/** A process of its own that uses a session log as it is told. */
export interface LogProcess {
  /** Asks for something and resolves to the answer: `done`, or the code of the error. */
  ask(request: LogRequest): Promise<string>;
  nextAnswer(): Promise<string>;
  /** Resolves when it is dead, wherever it was. */
  kill(): Promise<void>;
}

const program = fileURLToPath(new URL("./session-log-program.ts", import.meta.url));
const node = [process.execPath, "--import", import.meta.resolve("tsx"), "--conditions=@pod/source", program];

/** Starts a process. `maxFileBlocks`, of 512 bytes: how much the system lets it write into one file. */
export async function startLogProcess(maxFileBlocks: number | "unlimited" = "unlimited"): Promise<LogProcess> {
  const child = spawn("sh", ["-c", `ulimit -f ${maxFileBlocks}; exec "$@"`, "sh", ...node], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  const answers = on(child, "message");
  const nextAnswer = async () => {
    const { value } = await Promise.race([answers.next(), ended.then(() => ({ value: ["ended"] }))]);
    return String(value[0]);
  };
  await nextAnswer();
  return {
    kill,
    nextAnswer,
    ask: (request) => {
      child.send(request);
      return nextAnswer();
    },
  };
}

/** A numbered entry with some bytes of text. */
export function entryOfSize(number: number, bytes: number): SessionEntry {
  return { type: "message", message: { role: "user", text: `${number} ${"x".repeat(bytes)}` } };
}
