import { printName } from "./print-name.js";

/** Why a server did not start, and the status that shells have for it. */
export interface StartFailure {
  readonly message: string;
  readonly exitStatus: number;
}

/** Tells a command that cannot be started; undefined for any other error. Arguments are not told: they may hold secrets. */
export function describeStartFailure(error: unknown, command: string): StartFailure | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  if (typeof error.syscall !== "string" || !error.syscall.startsWith("spawn")) return undefined;
  const isMissing = error.code === "ENOENT";
  const received = isMissing ? "no such command" : String(error.code);
  return {
    message: `COMMAND: expected a program that can be started, received ${printName(command)} (${received}). Write: mcp-cap -- npx -y some-mcp-server`,
    exitStatus: isMissing ? 127 : 126,
  };
}
