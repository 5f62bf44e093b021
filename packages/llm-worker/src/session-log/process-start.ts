import { readFile } from "node:fs/promises";
import { readErrorCode } from "./session-log-error.js";

/** Which process it is: two that have the same pid, one after the other, have different starts. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in words that only this machine understands; absent where the system does not say. */
  readonly start?: string;
}

/** This process. */
export async function identifySelf(): Promise<ProcessIdentity> {
  const start = await readProcessStart(process.pid);
  return start === undefined ? { pid: process.pid } : { pid: process.pid, start };
}

/** Whether a process of this machine still runs. Where that cannot be told, it does. */
export async function isRunning({ pid, start }: ProcessIdentity): Promise<boolean> {
  const found = await readProcessStart(pid);
  if (found !== undefined && start !== undefined) return found === start;
  return hasProcess(pid);
}

/** What `start` is of one that has ended, but whose parent has not asked for its status yet. */
const ENDED = "ended";

/** Where the fields begin that follow the command's name in `/proc/PID/stat`: `state` is the third in all. */
const STATE = 0;
const START_TIME = 22 - 3;

/** Linux: boot id and clock ticks since the boot. Other systems have no such file, and to ask `ps` is no answer at once. */
async function readProcessStart(pid: number): Promise<string | undefined> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "latin1");
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // The command's name is in parentheses, and may have blanks and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[STATE] === "Z" || fields[STATE] === "X") return ENDED;
    return `${boot.trim()}/${fields[START_TIME]}`;
  } catch (error) {
    // No such process, or none that may be seen; the fallback is to ask for it with a signal.
    if (["ENOENT", "ESRCH", "ENOTDIR", "EACCES", "EPERM"].includes(readErrorCode(error))) return undefined;
    throw error;
  }
}

function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be sent a signal, but it is there.
    return readErrorCode(error) !== "ESRCH";
  }
}
