import { describeValue } from "./describe-value.js";

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
