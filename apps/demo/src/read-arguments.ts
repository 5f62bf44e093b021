import { closeSync, openSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export interface Arguments {
  readonly root: string;
  readonly manifestFile?: string;
  readonly output: "text" | "json" | "usage";
  /** Where a page with a plot of the replay is written. */
  readonly reportFile?: string;
  /** A real model, instead of the script. */
  readonly live?: { readonly apiKey: string; readonly modelId: string };
  /** Another scene than the incident. */
  readonly scene?: SceneName;
  /** Neither another tree, nor other limits, nor another model: then the replay must show what the incident was. */
  readonly isAsShipped: boolean;
}

/**
 * `parallel`: so many dense calls in one batch. `build-log`: a log whose only error is at its end. `mcp`: the same tools, served
 * to a client of somebody else's. `tokens`: a limit in tokens, and real ones charged.
 */
export type SceneName =
  | { readonly type: "parallel"; readonly count: number }
  | { readonly type: "build-log" }
  | { readonly type: "mcp" }
  | { readonly type: "tokens" };

/** More in one batch than any model asks for. */
const MAX_PARALLEL = 64;

/** The cheapest of its provider's, as of writing. */
const DEFAULT_MODEL = "claude-haiku-5-5";

export const USAGE: string = `Replays the incident: the same agent without the cap, and with it.

  npm start -- [--root DIR] [--manifest FILE] [--report FILE] [--json]
               [--live [--model NAME]] [--parallel N | --build-log | --mcp | --tokens]

  --root DIR       the tree that the tools read; this project by default
  --manifest FILE  a pod.toml with other limits
  --report FILE    writes a plot of both runs as a page that any browser opens
  --json           one JSON object, and nothing else, on standard output
  --live           asks a real model, for minutes and tokens of the account of ANTHROPIC_API_KEY;
                   sends it what it reads below the root
  --model NAME     which one; ${DEFAULT_MODEL} by default
  --parallel N     another scene: N dense Globs in one batch, 8 for instance, each of them capped
  --build-log      another scene: a build log of 200 MB whose only error is in its last lines
  --mcp            another scene: the tools as an MCP server, with mcp-cap before it and without
  --tokens         another scene: a limit in tokens, before a provider that charges real ones
  --help           this text`;

const PROJECT = resolve(fileURLToPath(new URL("../../../", import.meta.url)));

/** Where the user is, and what the user has set. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads the command line. Throws an Error that says what is wrong with it. */
export function readArguments(args: readonly string[], { cwd, env }: Surroundings): Arguments {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    allowPositionals: false,
    options: {
      root: { type: "string" },
      manifest: { type: "string" },
      report: { type: "string" },
      json: { type: "boolean", default: false },
      live: { type: "boolean", default: false },
      model: { type: "string" },
      parallel: { type: "string" },
      "build-log": { type: "boolean", default: false },
      mcp: { type: "boolean", default: false },
      tokens: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const root = values.root === undefined ? PROJECT : resolve(cwd, values.root);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`--root: expected a directory, received ${root}`);
  }
  if (values.model !== undefined && !values.live)
    throw new Error(`--model: only --live asks a model. Write: --live --model ${values.model}`);
  const live =
    values.live && !values.help ? { apiKey: readApiKey(env), modelId: values.model ?? DEFAULT_MODEL } : undefined;
  const reportFile = values.report === undefined ? undefined : resolve(cwd, values.report);
  if (reportFile !== undefined) requireWritable(reportFile);
  const scene = readScene(values);
  if (scene !== undefined && (values.live || reportFile !== undefined)) {
    throw new Error(
      "--parallel, --build-log, --mcp, --tokens: expected neither --live nor --report, which show the incident itself",
    );
  }
  return {
    root,
    ...(scene !== undefined && { scene }),
    ...(values.manifest !== undefined && { manifestFile: resolve(cwd, values.manifest) }),
    ...(reportFile !== undefined && { reportFile }),
    ...(live !== undefined && { live }),
    output: values.help ? "usage" : values.json ? "json" : "text",
    isAsShipped: values.root === undefined && values.manifest === undefined && live === undefined,
  };
}

/** The flags that choose a scene. */
interface SceneFlags {
  readonly parallel?: string | undefined;
  readonly "build-log": boolean;
  readonly mcp: boolean;
  readonly tokens: boolean;
}

function readScene({ parallel, "build-log": isBuildLog, mcp, tokens }: SceneFlags): SceneName | undefined {
  if ([parallel !== undefined, isBuildLog, mcp, tokens].filter(Boolean).length > 1)
    throw new Error("--parallel, --build-log, --mcp, --tokens: expected one of them, received more");
  if (isBuildLog) return { type: "build-log" };
  if (mcp) return { type: "mcp" };
  if (tokens) return { type: "tokens" };
  return parallel === undefined ? undefined : { type: "parallel", count: readCount(parallel) };
}

function readCount(parallel: string): number {
  const count = /^\d{1,2}$/.test(parallel) ? Number(parallel) : 0;
  if (count < 1 || count > MAX_PARALLEL) {
    throw new Error(
      `--parallel: expected a number of calls from 1 to ${MAX_PARALLEL}, received ${parallel.slice(0, 80)}. Write: --parallel 8`,
    );
  }
  return count;
}

/** Tried before the replay: afterwards is too late to be told. */
function requireWritable(file: string): void {
  try {
    closeSync(openSync(file, "a"));
  } catch (error) {
    throw new Error(`--report: expected a file that can be written, received ${file} (${String(error)})`, {
      cause: error,
    });
  }
}

/** Whatever is wrong with a key, the key is not told: what is printed ends up in logs. */
function readApiKey({ ANTHROPIC_API_KEY: apiKey = "" }: Surroundings["env"]): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  const received = apiKey === "" ? "none" : "one with a blank, a control character or a letter that no key has";
  throw new Error(
    `--live: expected an API key in the environment variable ANTHROPIC_API_KEY, received ${received}. Write: ANTHROPIC_API_KEY=… npm start -- --live`,
  );
}
