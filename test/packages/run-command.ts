import { spawnSync } from "node:child_process";

/** Runs a program to its end and returns what it printed to stdout. Throws with all that it said where it fails. */
export function runCommand(
  command: string,
  parameters: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): string {
  const { status, stdout, stderr, error } = spawnSync(command, parameters, { ...options, encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${[command, ...parameters].join(" ")} ended in ${status}:\n${stdout}${stderr}`);
  return stdout;
}
