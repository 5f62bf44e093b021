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
  /** Neither another tree nor other limits: then the replay must show what the incident was. */
  readonly isAsShipped: boolean;
}

export const USAGE = `Replays the incident: the same agent without the cap, and with it.

  npm start -- [--root DIR] [--manifest FILE] [--report FILE] [--json]

  --root DIR       the tree that the tools read; this project by default
  --manifest FILE  a pod.toml with other limits
  --report FILE    writes a plot of both runs as a page that any browser opens
  --json           one JSON object, and nothing else, on standard output
  --help           this text`;

const PROJECT = resolve(fileURLToPath(new URL("../../../", import.meta.url)));

/** Reads the command line; paths are relative to `cwd`. Throws an Error that says what is wrong with it. */
export function readArguments(args: readonly string[], cwd: string): Arguments {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    allowPositionals: false,
    options: {
      root: { type: "string" },
      manifest: { type: "string" },
      report: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const root = values.root === undefined ? PROJECT : resolve(cwd, values.root);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`--root: expected a directory, received ${root}`);
  }
  const reportFile = values.report === undefined ? undefined : resolve(cwd, values.report);
  if (reportFile !== undefined) requireWritable(reportFile);
  return {
    root,
    ...(values.manifest !== undefined && { manifestFile: resolve(cwd, values.manifest) }),
    ...(reportFile !== undefined && { reportFile }),
    output: values.help ? "usage" : values.json ? "json" : "text",
    isAsShipped: values.root === undefined && values.manifest === undefined,
  };
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
