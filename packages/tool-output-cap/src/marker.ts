import { describeFault } from "./describe-value.js";
import { isCount, type Keep } from "./limits.js";

const NEWLINES = "\n\n";
const SHORT_MARKER = "[truncated]";

/**
 * The line that tells the model what happened: `[truncated: N bytes dropped, refine your query]`, 46 UTF-8 bytes plus the
 * digits of N, pure ASCII, without the newlines around it.
 *
 * @throws RangeError where `droppedBytes` is not a safe integer from 0.
 */
export function formatMarker(droppedBytes: number): string {
  if (isCount(droppedBytes)) return `[truncated: ${droppedBytes} bytes dropped, refine your query]`;
  const expected = "a safe integer from 0 (UTF-8 bytes)";
  throw new RangeError(describeFault("droppedBytes", expected, droppedBytes, "truncation.droppedBytes"));
}

/**
 * What stands for the dropped bytes of a text that had `originalBytes`: the marker with its newlines, where these fit in
 * `maxBytes` at all; else the short marker; else nothing. ASCII, so its length is its bytes.
 */
export function formatGap(keep: Keep, originalBytes: number, droppedBytes: number, maxBytes: number): string {
  if (formatLongGap(keep, originalBytes).length <= maxBytes) return formatLongGap(keep, droppedBytes);
  return SHORT_MARKER.length <= maxBytes ? SHORT_MARKER : "";
}

/** How a cut looks: where the marker leaves no room between two ends, as if the head alone were to stay. */
export function shapeOf(keep: Keep, originalBytes: number, maxBytes: number): Keep {
  return keep === "ends" && formatLongGap(keep, originalBytes).length >= maxBytes ? "head" : keep;
}

function formatLongGap(keep: Keep, droppedBytes: number): string {
  return `${keep === "tail" ? "" : NEWLINES}${formatMarker(droppedBytes)}${keep === "head" ? "" : NEWLINES}`;
}
