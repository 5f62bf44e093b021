import { describeFault } from "./describe-value.js";
import type { ToolOutputLimits } from "./limits.js";
import { findNearestName } from "./nearest-name.js";
import { readPerTool } from "./resolve-limit.js";

/** A name in `perTool` that no tool has, and the tool that was probably meant. */
export interface UnknownTool {
  readonly name: string;
  /** Differs in case only, else in at most a third of the name; absent where no tool's name is near. */
  readonly nearest?: string;
}

/**
 * The names in `perTool` that no tool has, in the order of the table, each with the nearest tool. A typo there means that
 * the tool silently has the default limit, so this is worth a warning once the tools are known.
 *
 * @throws TypeError where `limits` is not a `ToolOutputLimits` or `toolNames` is not an iterable of strings.
 */
export function findUnknownTools(limits: ToolOutputLimits, toolNames: Iterable<string>): readonly UnknownTool[] {
  const perTool = readPerTool(limits);
  const known = readNames(toolNames);
  return Object.keys(perTool)
    .filter((name) => !known.has(name))
    .map((name) => {
      const nearest = findNearestName(name, known);
      return nearest === undefined ? { name } : { name, nearest };
    });
}

function readNames(toolNames: Iterable<string>): ReadonlySet<string> {
  // A string is an iterable of strings too, but of its characters.
  const names = typeof toolNames === "object" && toolNames?.[Symbol.iterator] ? [...toolNames] : [undefined];
  if (names.every((name) => typeof name === "string")) return new Set(names);
  const remedy = "tools.map((tool) => tool.name)";
  throw new TypeError(describeFault("toolNames", "an iterable of strings", toolNames, remedy));
}
