import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { ManifestError } from "@pod/manifest";
import { describeStartFailure } from "./describe-start-failure.js";
import { type CapOptions, parseArguments } from "./parse-arguments.js";
import { type ReadLimits, readLimits } from "./read-limits.js";
import { runServer } from "./run-server.js";
import { startServer } from "./start-server.js";

/** What the command uses of a process. */
export interface CommandHost {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly pid: number;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  cwd(): string;
  kill(pid: number, signal: NodeJS.Signals): void;
  on(signal: NodeJS.Signals, listener: () => void): void;
  off(signal: NodeJS.Signals, listener: () => void): void;
}

/**
 * Runs `mcp-cap` and gives its exit status: the server's, if it was started. Where a signal ended the server, the same one is
 * sent to the command itself.
 */
export async function runCommand(host: CommandHost): Promise<number> {
  // Whoever reads may have read enough (`| head`), or may not listen to warnings: that is no failure of ours.
  for (const stream of [host.stdout, host.stderr]) stream.on("error", () => {});
  const parsed = parseArguments(host.argv.slice(2), readVersion());
  if (parsed.type === "run") return runWith(parsed.options, host);
  host.stderr.write(parsed.stderr);
  host.stdout.write(parsed.stdout);
  return parsed.exitStatus;
}

async function runWith(options: CapOptions, host: CommandHost): Promise<number> {
  const place = { cwd: host.cwd(), env: host.env };
  let read: ReadLimits;
  try {
    read = await readLimits(options, place);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    host.stderr.write(`${error.message}\n`);
    return 1;
  }
  for (const warning of read.warnings) host.stderr.write(`${warning}\n`);
  try {
    return await runServer(await startServer(options.command, options.args, place), read.limits, options, host);
  } catch (error) {
    const failure = describeStartFailure(error, options.command);
    if (failure === undefined) throw error;
    host.stderr.write(`mcp-cap: ${failure.message}\n`);
    return failure.exitStatus;
  }
}

function readVersion(): string {
  // As far above this file in `src` as in `dist`.
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return String(version);
}
