import { byteLength } from "#byte-length";
import type { Truncation } from "./cap-text.js";
import { isMaxBytes } from "./limits.js";
import { formatSuffix } from "./marker.js";

/**
 * The record of an earlier cut, if it matches the content: its numbers can come from one cut, the content has the size that
 * they say, and it ends with what that cut put there. Anything else, however it fails, gives undefined: a record may be
 * forged, and a marker in a text proves nothing. The record comes back as a copy, each number read once.
 */
export function matchTruncation(content: string, record: unknown): Truncation | undefined {
  const truncation = readNumbers(record);
  if (truncation === undefined) return undefined;
  const { maxBytes, originalBytes, keptBytes, droppedBytes } = truncation;
  const suffix = formatSuffix(originalBytes, droppedBytes, maxBytes);
  const contentBytes = byteLength(content);
  const matches = contentBytes === keptBytes + suffix.length && contentBytes <= maxBytes && content.endsWith(suffix);
  return matches ? truncation : undefined;
}

function readNumbers(record: unknown): Truncation | undefined {
  try {
    if (typeof record !== "object" || record === null) return undefined;
    const { maxBytes, originalBytes, keptBytes, droppedBytes } = record as Readonly<Record<keyof Truncation, unknown>>;
    if (!isMaxBytes(maxBytes) || !isCount(originalBytes) || !isCount(keptBytes) || !isCount(droppedBytes))
      return undefined;
    if (droppedBytes === 0 || originalBytes !== keptBytes + droppedBytes) return undefined;
    return { maxBytes, originalBytes, keptBytes, droppedBytes };
  } catch {
    // A getter or proxy that throws is one more record that does not match.
    return undefined;
  }
}

function isCount(bytes: unknown): bytes is number {
  return typeof bytes === "number" && Number.isSafeInteger(bytes) && bytes >= 0;
}
