import { describeFault, describeValue, readObject } from "./describe-value.js";
import type { OutputLimit, ToolOutputLimits } from "./limits.js";
import { type CheckedLimit, readKeep, readLimit, readMaxBytes, readMaxTokens } from "./read-limit.js";

/**
 * The limit of one tool: its own entry in `perTool`, else the default. Only own properties count, so a tool named
 * `constructor` gets the default too. An entry without a `keep` of its own has that of all tools; `defaultMaxTokens` is for
 * the tools without an entry. Returns a new frozen object, in which `maxTokens` and `keep` are there only where they were named.
 *
 * @throws RangeError that names the place (`perTool["Read"]`) where the entry is not a limit; TypeError for a wrong argument.
 */
export function resolveLimit(limits: ToolOutputLimits, toolName: string): OutputLimit {
  const perTool = readPerTool(limits);
  if (typeof toolName !== "string") {
    throw new TypeError(describeFault("toolName", "a string", toolName, '"Read"'));
  }
  const byDefault = readKeep(limits.keep, "limits");
  const {
    maxBytes,
    maxTokens,
    keep = byDefault,
  } = Object.hasOwn(perTool, toolName)
    ? readEntry(perTool[toolName], `limits.perTool[${describeValue(toolName)}]`)
    : readDefault(limits);
  return Object.freeze({ maxBytes, ...(maxTokens && { maxTokens }), ...(keep && { keep }) });
}

function readEntry(entry: unknown, place: string): CheckedLimit {
  if (typeof entry === "object" && entry !== null) return readLimit(entry, place);
  return { maxBytes: readMaxBytes(entry, place) };
}

function readDefault({ defaultMaxBytes, defaultMaxTokens }: ToolOutputLimits): CheckedLimit {
  return {
    maxBytes: readMaxBytes(defaultMaxBytes, "limits.defaultMaxBytes"),
    maxTokens: readMaxTokens(defaultMaxTokens, "limits.defaultMaxTokens"),
  };
}

/** The table of exceptions, or a TypeError that names what is not one. */
export function readPerTool(limits: ToolOutputLimits): ToolOutputLimits["perTool"] {
  const { perTool } = readObject(limits, "limits", "DEFAULT_TOOL_OUTPUT_LIMITS");
  // A Map or an array has no own property by a tool's name: it would silently mean "no exceptions".
  if (Object.prototype.toString.call(perTool) === "[object Object]") {
    return perTool as ToolOutputLimits["perTool"];
  }
  throw new TypeError(describeFault("limits.perTool", "an object of limits by tool name", perTool, "perTool: {}"));
}
