import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const packageDirectory = fileURLToPath(new URL("../..", import.meta.url));
const { bin } = JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8"));

/** What starts the command from source, before its own arguments. */
export const MCP_CAP: readonly [command: string, ...args: string[]] = [
  process.execPath,
  "--import",
  import.meta.resolve("tsx"),
  "--conditions=@pod/source",
  join(packageDirectory, bin["mcp-cap"]),
];

/** A server that is a program of a line. */
export function script(program: string): readonly string[] {
  return ["--", process.execPath, "--eval", program];
}

/** The real command, as a process with pipes. */
export function startMcpCap(
  args: readonly string[],
  options: { readonly cwd?: string } = {},
): ChildProcessWithoutNullStreams {
  const [command, ...before] = MCP_CAP;
  const child = spawn(command, [...before, ...args], { ...options, stdio: ["pipe", "pipe", "pipe"] });
  // A test that writes to a command that has ended sees how it ended.
  child.stdin.on("error", () => {});
  return child;
}

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitStatus: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs the command to its end, with `input` as all that the client says. */
export async function runMcpCap(
  args: readonly string[],
  input = "",
  options: { readonly cwd?: string } = {},
): Promise<Ran> {
  const child = startMcpCap(args, options);
  const ended = waitForEnd(child);
  child.stdin.end(input);
  const [stdout, stderr, ending] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, ...ending };
}

export async function waitForEnd(child: ChildProcess): Promise<Pick<Ran, "exitStatus" | "signal">> {
  const [exitStatus, signal] = await once(child, "close");
  return { exitStatus, signal };
}
