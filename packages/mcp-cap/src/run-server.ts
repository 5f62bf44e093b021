import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import {
  DEFAULT_TOOL_OUTPUT_LIMITS,
  findUnknownTools,
  resolveLimit,
  type ToolOutputLimits,
} from "@pod/tool-output-cap";
import type { ToolPage } from "./annotate-tools.js";
import { type CalledMethod, CallLog } from "./call-log.js";
import { CallStats } from "./call-stats.js";
import { formatStats } from "./format-stats.js";
import type { CapOptions } from "./parse-arguments.js";
import { printName } from "./print-name.js";
import { relay } from "./relay.js";
import type { CommandHost } from "./run-command.js";
import type { Ending, Server } from "./start-server.js";

const TOOL_METHODS: readonly CalledMethod[] = ["tools/call", "tasks/result", "tasks/get"];
const TEXT_METHODS: readonly CalledMethod[] = ["resources/read", "prompts/get"];
const PASSED_SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

/** Stands between the client and a server until the server has ended, and gives its exit status. */
export async function runServer(
  server: Server,
  limits: ToolOutputLimits,
  options: CapOptions,
  host: CommandHost,
): Promise<number> {
  const { isDryRun, maxLineBytes, capsToolsOnly } = options;
  const stats = new CallStats();
  const stopSignals = passSignals(server, host);
  await relay({
    client: { output: host.stdin, input: host.stdout },
    server,
    calls: new CallLog([
      ...TOOL_METHODS,
      ...(capsToolsOnly ? [] : TEXT_METHODS),
      // A dry run changes nothing.
      ...(isDryRun ? [] : (["tools/list"] as const)),
    ]),
    stats,
    limitOf: (name) => resolveLimit(limits, name),
    maxLineBytes,
    isDryRun,
    onTools: createToolCheck(options, host),
    onWarning: (warning) => host.stderr.write(`mcp-cap: ${warning}.\n`),
  });
  const ending = await server.ended;
  writeStats(stats, options, host);
  stopSignals();
  return passEnding(ending, host);
}

/** A signal to us is meant for the server. Where that has ended, and others hold its output open, it is meant for us. */
function passSignals(server: Server, host: CommandHost): () => void {
  const listeners = PASSED_SIGNALS.map((signal) => {
    const listener = () => {
      if (!server.kill(signal)) server.output.destroy();
    };
    host.on(signal, listener);
    return () => host.off(signal, listener);
  });
  return () => {
    for (const stop of listeners) stop();
  };
}

function passEnding({ exitStatus, signal }: Ending, host: CommandHost): number {
  if (signal === null) return exitStatus ?? 1;
  host.kill(host.pid, signal);
  // Where a signal does not end us (Windows knows few), the status that shells give it does.
  return 128 + constants.signals[signal];
}

function writeStats(stats: CallStats, { printsStats, statsFile }: CapOptions, host: CommandHost): void {
  if (printsStats) host.stderr.write(formatStats(stats));
  if (statsFile === undefined) return;
  try {
    writeFileSync(statsFile, formatStats(stats));
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    host.stderr.write(`mcp-cap: --stats-file: expected a file that can be written, received ${error.code}.\n`);
  }
}

/** A name on the command line that no tool has is a typing error, which would silently mean the default. */
function createToolCheck({ perTool }: CapOptions, host: CommandHost): (page: ToolPage) => void {
  const known: string[] = [...TEXT_METHODS];
  let isDone = false;
  return ({ names, isLast }) => {
    known.push(...names);
    if (isDone || !isLast) return;
    isDone = true;
    for (const { name, nearest } of findUnknownTools({ ...DEFAULT_TOOL_OUTPUT_LIMITS, perTool }, known)) {
      const remedy = nearest === undefined ? "" : `. Write: --max-bytes ${printName(nearest)}=N`;
      host.stderr.write(`mcp-cap: --max-bytes ${printName(name)}: the server has no such tool${remedy}\n`);
    }
  };
}
