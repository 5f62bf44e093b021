import { DEFAULT_TOOL_OUTPUT_LIMITS } from "@pod/tool-output-cap";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";

/** What the user asked for: a server to put the cap before, or nothing to do but to say something. */
export type ParsedArguments =
  | { readonly type: "run"; readonly options: CapOptions }
  | { readonly type: "none"; readonly stdout: string; readonly stderr: string; readonly exitStatus: number };

export interface CapOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The limit of every tool without one of its own, in UTF-8 bytes. */
  readonly defaultMaxBytes: number | undefined;
  readonly perTool: Readonly<Record<string, number>>;
  readonly manifestFile: string | undefined;
  /** The longest line of the server's that is read whole, in bytes. */
  readonly maxLineBytes: number;
  readonly printsStats: boolean;
  readonly statsFile: string | undefined;
  readonly isDryRun: boolean;
  readonly capsToolsOnly: boolean;
}

interface Flags {
  readonly maxBytes: MaxBytes;
  readonly manifest?: string;
  readonly maxLineBytes: number;
  readonly stats?: true;
  readonly statsFile?: string;
  readonly dryRun?: true;
  readonly toolsOnly?: true;
}

interface MaxBytes {
  readonly defaultMaxBytes?: number;
  readonly perTool: Readonly<Record<string, number>>;
}

const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Reads the arguments of `mcp-cap`. Wrong usage is told with exit status 2, and nothing is written here. */
export function parseArguments(args: readonly string[], version: string): ParsedArguments {
  let stdout = "";
  let stderr = "";
  let options: CapOptions | undefined;
  const program = createProgram(version, (parsed) => {
    options = parsed;
  });
  program.exitOverride().configureOutput({
    writeOut: (text) => {
      stdout += text;
    },
    writeErr: (text) => {
      stderr += text;
    },
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  try {
    program.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { type: "none", stdout, stderr, exitStatus: error.exitCode === 0 ? 0 : 2 };
  }
  return options === undefined ? { type: "none", stdout, stderr, exitStatus: 2 } : { type: "run", options };
}

function createProgram(version: string, onParsed: (options: CapOptions) => void): Command {
  return (
    new Command("mcp-cap")
      .description("Caps the tool results of an MCP server over stdio: mcp-cap [options] -- COMMAND ARGS…")
      .version(version)
      .argument("<command>", "what starts the server")
      .argument("[args...]", "its arguments, passed on as they are")
      .addOption(
        new Option(
          "--max-bytes <N or TOOL=N>",
          "the limit of every tool, or of one, in UTF-8 bytes; may be given several times",
        )
          .argParser(collectMaxBytes)
          .default({ perTool: {} }, String(DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes)),
      )
      .option("--manifest <file>", "a pod.toml with the limits; --max-bytes overrules it", parseFile)
      .option("--stats", "write a table of calls and bytes per tool to stderr at the end")
      .option("--stats-file <file>", "write it to a file instead", parseFile)
      .option("--dry-run", "measure, change nothing, and write the table")
      .option("--tools-only", "cap tools, not the texts of resources and prompts")
      .option(
        "--max-line-bytes <n>",
        "the longest answer that is read; a longer one becomes an error",
        parseBytes,
        DEFAULT_MAX_LINE_BYTES,
      )
      .showSuggestionAfterError()
      .addHelpText(
        "after",
        "\nExit status: the server's; 1 for a faulty manifest, 2 for wrong usage, 126 or 127 for a command that does not start.",
      )
      // What comes behind the command is the server's, whatever it looks like.
      .passThroughOptions()
      .action((command: string, args: string[], flags: Flags) => onParsed(toOptions(command, args, flags)))
  );
}

function toOptions(command: string, args: readonly string[], flags: Flags): CapOptions {
  return {
    command,
    args,
    defaultMaxBytes: flags.maxBytes.defaultMaxBytes,
    perTool: flags.maxBytes.perTool,
    manifestFile: flags.manifest,
    maxLineBytes: flags.maxLineBytes,
    printsStats: flags.stats ?? (flags.dryRun === true && flags.statsFile === undefined),
    statsFile: flags.statsFile,
    isDryRun: flags.dryRun ?? false,
    capsToolsOnly: flags.toolsOnly ?? false,
  };
}

function collectMaxBytes(argument: string, before: MaxBytes): MaxBytes {
  // A tool's name may have an equals sign; a number has none.
  const separator = argument.lastIndexOf("=");
  const maxBytes = parseBytes(argument.slice(separator + 1));
  if (separator === -1) return { ...before, defaultMaxBytes: maxBytes };
  const toolName = argument.slice(0, separator);
  if (toolName === "")
    throw new InvalidArgumentError("There is no tool before the equals sign. Write: read_text_file=32768");
  // `fromEntries` makes own properties, of `__proto__` too.
  return { ...before, perTool: Object.fromEntries([...Object.entries(before.perTool), [toolName, maxBytes]]) };
}

function parseBytes(text: string): number {
  const bytes = Number(text);
  if (/^\d+$/.test(text) && bytes >= 1 && bytes <= 2_147_483_647) return bytes;
  throw new InvalidArgumentError("Expected an integer from 1 to 2147483647 (bytes). Write: 32768");
}

function parseFile(file: string): string {
  if (file === "") throw new InvalidArgumentError("It is empty. Write: pod.toml");
  return file;
}
