import { describeValue } from "./describe-value.js";

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
 * What follows the kept part of a text that had `originalBytes`: newlines and marker, where these fit in `maxBytes` at all;
 * else the short marker; else nothing. ASCII, so its length is its bytes.
 */
export function formatSuffix(originalBytes: number, droppedBytes: number, maxBytes: number): string {
  const longest = `\n\n${formatMarker(originalBytes)}`;
  if (longest.length <= maxBytes) return `\n\n${formatMarker(droppedBytes)}`;
  return SHORT_MARKER.length <= maxBytes ? SHORT_MARKER : "";
}
