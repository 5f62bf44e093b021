import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export interface Arguments {
  readonly root: string;
  readonly manifestFile?: string;
  readonly output: "text" | "json" | "usage";
  /** Neither another tree nor other limits: then the replay must show what the incident was. */
  readonly isAsShipped: boolean;
}

export const USAGE = `Replays the incident: the same agent without the cap, and with it.

  npm start -- [--root DIR] [--manifest FILE] [--json]

  --root DIR       the tree that the tools read; this project by default
  --manifest FILE  a pod.toml with other limits
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
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const root = values.root === undefined ? PROJECT : resolve(cwd, values.root);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`--root: expected a directory, received ${root}`);
  }
  return {
    root,
    ...(values.manifest !== undefined && { manifestFile: resolve(cwd, values.manifest) }),
    output: values.help ? "usage" : values.json ? "json" : "text",
    isAsShipped: values.root === undefined && values.manifest === undefined,
  };
}
