import { Command, CommanderError, InvalidArgumentError } from "commander";
import { escapeUnprintable } from "../quote-text.js";
import type { CommandResult } from "./run-command.js";

/** What the user asked for: a command with its options, or nothing to do but to say something. */
export type ParsedArguments =
  | { readonly command: "check"; readonly file: string | undefined; readonly format: OutputFormat }
  | {
      readonly command: "explain";
      readonly file: string | undefined;
      readonly toolName: string | undefined;
      readonly format: OutputFormat;
    }
  | { readonly command: "none"; readonly result: CommandResult };

export type OutputFormat = "text" | "json";

interface Options {
  readonly json?: true;
  readonly tool?: string;
}

/** Reads the arguments of `pod-manifest`. Wrong usage is told with exit status 2, and nothing is written here. */
export function parseArguments(args: readonly string[], version: string): ParsedArguments {
  let stdout = "";
  let stderr = "";
  let parsed: ParsedArguments | undefined;
  const program = createProgram(version, (found) => {
    parsed = found;
  });
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => {
        stdout += text;
      },
      writeErr: (text) => {
        stderr += text.split("\n").map(escapeUnprintable).join("\n");
      },
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  }
  try {
    program.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { command: "none", result: { stdout, stderr, exitStatus: error.exitCode === 0 ? 0 : 2 } };
  }
  return parsed ?? { command: "none", result: { stdout, stderr, exitStatus: 2 } };
}

const FILE_DESCRIPTION = "the project's manifest; without it the nearest pod.toml upward";

function createProgram(version: string, onParsed: (parsed: ParsedArguments) => void): Command {
  const program = new Command("pod-manifest")
    .description("Checks pod.toml, and explains where each limit of a tool output comes from.")
    .version(version)
    .showSuggestionAfterError()
    .addHelpText("after", "\nExit status: 0, 1 for a faulty manifest, 2 for wrong usage.");
  program
    .command("check")
    .description("tell every fault and every oddity of the manifest, and of the user's own")
    .argument("[file]", FILE_DESCRIPTION, parseFile)
    .option("--json", "write one JSON object to stdout, and nothing else")
    .action((file: string | undefined, options: Options) => {
      onParsed({ command: "check", file, format: formatOf(options) });
    });
  program
    .command("explain")
    .description("tell the limit of each tool, and which layer, file and line set it")
    .argument("[file]", FILE_DESCRIPTION, parseFile)
    .option("--tool <name>", "only of this tool, whether it has a limit of its own or not")
    .option("--json", "write one JSON object to stdout, and nothing else")
    .action((file: string | undefined, options: Options) => {
      onParsed({ command: "explain", file, toolName: options.tool, format: formatOf(options) });
    });
  return program;
}

function parseFile(file: string): string {
  if (file === "") throw new InvalidArgumentError("It is empty. Write: pod.toml");
  return file;
}

function formatOf(options: Options): OutputFormat {
  return options.json ? "json" : "text";
}
