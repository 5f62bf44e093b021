import { describeFault } from "./describe-value.js";
import type { Keep } from "./limits.js";
import { isCount } from "./read-limit.js";

const NEWLINES = "\n\n";
const SHORT_MARKER = "[truncated]";

/**
 * The line that tells the model what happened: `[truncated: N bytes dropped, refine your query]`, 46 UTF-8 bytes plus the
 * digits of N, pure ASCII, without the newlines around it.
 *
 * @throws RangeError where `droppedBytes` is not a safe integer from 0.
 */
export function formatMarker(droppedBytes: number): string {
  if (isCount(droppedBytes)) return formatLine(formatBytes(droppedBytes));
  const expected = "a safe integer from 0 (UTF-8 bytes)";
  throw new RangeError(describeFault("droppedBytes", expected, droppedBytes, "truncation.droppedBytes"));
}

/** How the marker of a cut looks, whatever it drops. */
export interface MarkerStyle {
  /** What stands around the marker: of `ends`, where it leaves no room between them, as of the head alone. */
  readonly shape: Keep;
  readonly length: "long" | "short" | "none";
}

/**
 * The style for a limit: the marker with its newlines, where these fit in `maxBytes` whatever it says; else the short marker;
 * else nothing. `longest` is the longest amount that the marker may have to tell.
 */
export function chooseStyle(keep: Keep, longest: string, maxBytes: number): MarkerStyle {
  const longBytes = formatLong(keep, longest).length;
  const shape = keep === "ends" && longBytes >= maxBytes ? "head" : keep;
  if (formatLong(shape, longest).length <= maxBytes) return { shape, length: "long" };
  return { shape, length: SHORT_MARKER.length <= maxBytes ? "short" : "none" };
}

/** What stands for the dropped part, `851 bytes` say. ASCII, so its length is its bytes. */
export function formatGap({ shape, length }: MarkerStyle, dropped: string): string {
  if (length === "long") return formatLong(shape, dropped);
  return length === "short" ? SHORT_MARKER : "";
}

/** An amount in bytes. */
export function formatBytes(bytes: number): string {
  return `${bytes} bytes`;
}

/** An amount in tokens. */
export function formatTokens(tokens: number, estimated: boolean): string {
  return `${estimated ? "~" : ""}${tokens} tokens`;
}

function formatLong(shape: Keep, dropped: string): string {
  return `${shape === "tail" ? "" : NEWLINES}${formatLine(dropped)}${shape === "head" ? "" : NEWLINES}`;
}

function formatLine(dropped: string): string {
  return `[truncated: ${dropped} dropped, refine your query]`;
}
