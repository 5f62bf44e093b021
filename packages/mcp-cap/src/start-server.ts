import type { Readable, Writable } from "node:stream";
import spawn from "cross-spawn";

/** The server's process. */
export interface Server {
  readonly output: Readable;
  readonly input: Writable;
  /** How the process ended, once it has; others may still hold its output open. */
  readonly ended: Promise<Ending>;
  /** Whether the process was there to get the signal. */
  kill(signal: NodeJS.Signals): boolean;
}

/** A process ends with a status or by a signal. */
export interface Ending {
  readonly exitStatus: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Starts the server, with our stderr as its own. cross-spawn, which the MCP SDK starts servers with too, finds the `.cmd`
 * files and the shebangs that Windows does not know. Rejects where the command cannot be started.
 */
export function startServer(
  command: string,
  args: readonly string[],
  place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { ...place, stdio: ["pipe", "pipe", "inherit"], windowsHide: true });
    const ended = new Promise<Ending>((resolveEnding) => {
      child.once("exit", (exitStatus, signal) => resolveEnding({ exitStatus, signal }));
    });
    // After the start it is a signal that could not be sent: its sender is told by `kill`.
    child.on("error", reject);
    child.once("spawn", () => {
      const { stdin, stdout } = child;
      if (stdin === null || stdout === null) reject(new TypeError("stdio: expected pipes, received none"));
      else resolve({ output: stdout, input: stdin, ended, kill: (signal) => child.kill(signal) });
    });
  });
}
