import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Exit {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How long a test waits for the demo, in milliseconds. */
export const BOUND_MS = 50_000;

const DEMO = fileURLToPath(new URL("..", import.meta.url));

/** The demo in a process of its own, as a user runs it. `env` is added to this process's, without the user's own key. */
export function runDemo(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Exit> {
  const command = ["--import", "tsx", "--conditions=@pod/source", "src/main.ts", ...args];
  const { ANTHROPIC_API_KEY: _key, ANTHROPIC_BASE_URL: _url, ...inherited } = process.env;
  const options = { cwd: DEMO, timeout: BOUND_MS, env: { ...inherited, ...env } };
  return new Promise((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
  });
}
