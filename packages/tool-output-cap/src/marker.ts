import { describeValue } from "./describe-value.js";
import type { Keep } from "./limits.js";

const NEWLINES = "\n\n";
const SHORT_MARKER = "[truncated]";

/**
 * The line that tells the model what happened: `[truncated: N bytes dropped, refine your query]`, 46 UTF-8 bytes plus the
 * digits of N, pure ASCII, without the newlines around it.
 *
 * @throws RangeError where `droppedBytes` is not a safe integer from 0.
 */
export function formatMarker(droppedBytes: number): string {
  if (!Number.isSafeInteger(droppedBytes) || droppedBytes < 0) {
    throw new RangeError(
      `droppedBytes: expected a safe integer from 0 (UTF-8 bytes), received ${describeValue(droppedBytes)}. Write: truncation.droppedBytes`,
    );
  }
  return `[truncated: ${droppedBytes} bytes dropped, refine your query]`;
}

/**
 * What stands for the dropped bytes of a text that had `originalBytes`: the marker with its newlines, where these fit in
 * `maxBytes` at all; else the short marker; else nothing. ASCII, so its length is its bytes.
 */
export function formatGap(keep: Keep, originalBytes: number, droppedBytes: number, maxBytes: number): string {
  if (formatLongGap(keep, originalBytes).length <= maxBytes) return formatLongGap(keep, droppedBytes);
  return SHORT_MARKER.length <= maxBytes ? SHORT_MARKER : "";
}

/** The bytes that both ends may have together. Below 1 the text is cut as if its head alone were to stay. */
export function roomForEnds(originalBytes: number, maxBytes: number): number {
  return maxBytes - formatLongGap("ends", originalBytes).length;
}

function formatLongGap(keep: Keep, droppedBytes: number): string {
  const marker = formatMarker(droppedBytes);
  return `${keep === "tail" ? "" : NEWLINES}${marker}${keep === "head" ? "" : NEWLINES}`;
}
