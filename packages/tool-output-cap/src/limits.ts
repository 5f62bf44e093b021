import { describeFault, describeValue } from "./describe-value.js";

/** The largest size that a text may have, marker included. */
export interface OutputLimit {
  /** UTF-8 bytes: an integer from 1 to 2,147,483,647. */
  readonly maxBytes: number;
  /** Which part of a text that is too big stays. Absent: its head. */
  readonly keep?: Keep;
}

/** What a cut keeps of a text: its beginning, its end, or half of the room for each, with the marker between them. */
export type Keep = "head" | "tail" | "ends";

/** The limits of all tools: one default, and exceptions by tool name. */
export interface ToolOutputLimits {
  /** The limit in UTF-8 bytes of every tool that `perTool` does not name. */
  readonly defaultMaxBytes: number;
  /** Keys are tool names, exactly; a number is `maxBytes`. */
  readonly perTool: Readonly<Record<string, number | OutputLimit>>;
  /** What a cut keeps for every tool whose entry in `perTool` does not say. Absent: the head. */
  readonly keep?: Keep;
  /**
   * What the model may receive of one batch, in UTF-8 bytes: an integer from 1,024 to 2,147,483,647. Absent: no limit of its own
   * beside those of the tools.
   */
  readonly turnMaxBytes?: number;
}

/**
 * The limits of a worker that was given none: 16,384 UTF-8 bytes for every tool. At the density of path lists (1.8 bytes
 * a token) that is about 9,100 tokens, so that three such results in one request stay under 30,000 tokens a minute.
 */
export const DEFAULT_TOOL_OUTPUT_LIMITS: ToolOutputLimits = Object.freeze({
  defaultMaxBytes: 16_384,
  perTool: Object.freeze({}),
});

/**
 * The limit of one tool: its own entry in `perTool`, else the default. Only own properties count, so a tool named
 * `constructor` gets the default too. An entry without a `keep` of its own has that of all tools. Returns a new frozen
 * object, in which `keep` is there only where it was named.
 *
 * @throws RangeError that names the place (`perTool["Read"]`) where the entry is not a limit; TypeError for a wrong argument.
 */
export function resolveLimit(limits: ToolOutputLimits, toolName: string): OutputLimit {
  const perTool = readPerTool(limits);
  if (typeof toolName !== "string") {
    throw new TypeError(describeFault("toolName", "a string", toolName, '"Read"'));
  }
  const isNamed = Object.hasOwn(perTool, toolName);
  const entry: unknown = isNamed ? perTool[toolName] : limits.defaultMaxBytes;
  const place = isNamed ? `limits.perTool[${describeValue(toolName)}]` : "limits.defaultMaxBytes";
  const keep = readKeep(limits, "limits");
  if (isNamed && typeof entry === "object" && entry !== null) {
    return freezeLimit(readMaxBytes(entry, place), readKeep(entry, place) ?? keep);
  }
  if (!isMaxBytes(entry)) throw wrongMaxBytes(entry, place);
  return freezeLimit(entry, keep);
}

function freezeLimit(maxBytes: number, keep: Keep | undefined): OutputLimit {
  return Object.freeze({ maxBytes, ...(keep && { keep }) });
}

/** The table of exceptions, or a TypeError that names what is not one. */
export function readPerTool(limits: ToolOutputLimits): ToolOutputLimits["perTool"] {
  if (typeof limits !== "object" || limits === null) {
    throw new TypeError(describeFault("limits", "an object", limits, "DEFAULT_TOOL_OUTPUT_LIMITS"));
  }
  const perTool = limits.perTool;
  // A Map or an array has no own property by a tool's name: it would silently mean "no exceptions".
  if (Object.prototype.toString.call(perTool) === "[object Object]") return perTool;
  throw new TypeError(describeFault("limits.perTool", "an object of limits by tool name", perTool, "perTool: {}"));
}

/** `maxBytes` of a limit, read once. Throws where there is none: nothing can switch the cap off by accident. */
export function readMaxBytes(limit: unknown, place: string): number {
  if (typeof limit !== "object" || limit === null) {
    const remedy = `{ maxBytes: ${DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes} }`;
    throw new TypeError(describeFault(place, "an object with maxBytes", limit, remedy));
  }
  const { maxBytes }: { readonly maxBytes?: unknown } = limit;
  if (isMaxBytes(maxBytes)) return maxBytes;
  throw wrongMaxBytes(maxBytes, `${place}.maxBytes`);
}

/** `keep` of a limit, or of limits, read once; undefined where it is not named. */
export function readKeep({ keep }: { readonly keep?: unknown }, place: string): Keep | undefined {
  if (isKeep(keep)) return keep;
  throw new RangeError(describeFault(`${place}.keep`, '"head", "tail" or "ends"', keep, 'keep: "tail"'));
}

/** Whether a number is a limit: an integer from 1 to 2^31 - 1. */
export function isMaxBytes(value: unknown): value is number {
  return isCount(value) && value >= 1 && value <= 2_147_483_647;
}

/** Whether a value can be a number of bytes: a safe integer from 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Whether a value says what a cut keeps; to say nothing is to say something. */
export function isKeep(value: unknown): value is Keep | undefined {
  return value === undefined || value === "head" || value === "tail" || value === "ends";
}

function wrongMaxBytes(value: unknown, place: string): RangeError {
  const expected = "an integer from 1 to 2147483647 (UTF-8 bytes)";
  return new RangeError(describeFault(place, expected, value, `${DEFAULT_TOOL_OUTPUT_LIMITS.defaultMaxBytes}`));
}
