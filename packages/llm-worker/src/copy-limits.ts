import {
  DEFAULT_TOOL_OUTPUT_LIMITS,
  type OutputLimit,
  resolveLimit,
  type ToolOutputLimits,
} from "@pod/tool-output-cap";
import { errorToText } from "./error-text.js";
import type { FaultList } from "./invalid-options-error.js";

/** Checks limits, every entry of them, and copies them: what is done later to those handed in changes nothing. */
export function copyLimits(limits: ToolOutputLimits, faults: FaultList): ToolOutputLimits {
  const perTool: [string, OutputLimit][] = [];
  try {
    for (const toolName of Object.keys(limits.perTool)) perTool.push([toolName, resolveLimit(limits, toolName)]);
    const { maxBytes: defaultMaxBytes } = resolveLimit({ defaultMaxBytes: limits.defaultMaxBytes, perTool: {} }, "");
    return { defaultMaxBytes, perTool: Object.fromEntries(perTool) };
  } catch (error) {
    faults.add(`toolOutput: ${errorToText(error)}`);
    return DEFAULT_TOOL_OUTPUT_LIMITS;
  }
}
