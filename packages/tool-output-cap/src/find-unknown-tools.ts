import type { ToolOutputLimits } from "./limits.js";

/** A name in `perTool` that no tool has, and the registered name that was probably meant. */
export interface UnknownTool {
  readonly name: string;
  readonly nearest?: string;
}

export function findUnknownTools(_limits: ToolOutputLimits, _toolNames: Iterable<string>): readonly UnknownTool[] {
  throw new Error("not yet");
}
