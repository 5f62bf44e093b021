import { readFileSync } from "node:fs";
import type { Environment } from "../find-manifest-files.js";
import { checkManifest } from "./check-manifest.js";
import { explainManifest } from "./explain-manifest.js";
import { type ParsedArguments, parseArguments } from "./parse-arguments.js";

/** What the command uses of a process. */
export interface CommandHost {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  cwd(): string;
}

/** What the command says, and how it ends. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** 0; 1 for a faulty manifest; 2 for wrong usage. */
  readonly exitStatus: number;
}

/** Runs `pod-manifest` and gives its exit status. Only this file writes. */
export async function runCommand(host: CommandHost): Promise<number> {
  const { stdout, stderr, exitStatus } = await execute(parseArguments(host.argv.slice(2), readVersion()), host);
  write(host.stderr, stderr);
  write(host.stdout, stdout);
  return exitStatus;
}

function execute(parsed: ParsedArguments, host: CommandHost): Promise<CommandResult> | CommandResult {
  const place = { env: host.env, cwd: host.cwd() };
  switch (parsed.command) {
    case "check":
      return checkManifest(parsed, place);
    case "explain":
      return explainManifest(parsed, place);
    case "none":
      return parsed.result;
  }
}

// Whoever reads may have read enough (`| head`): that is no failure of ours.
function write(stream: NodeJS.WritableStream, text: string): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  if (text !== "") stream.write(text);
}

function readVersion(): string {
  // As far above this file in `src` as in `dist`.
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String(version);
}
