import { byteLength } from "#byte-length";
import { formOf, type TextRemains } from "./cut-text.js";
import { fitPrefix } from "./fit-prefix.js";
import { isKeep, isMaxBytes, type Keep } from "./limits.js";
import { formatGap, roomForEnds } from "./marker.js";
import type { Truncation } from "./truncation.js";

/**
 * The record of an earlier cut, if it matches the content: its numbers can come from one cut, the content has the size that
 * they say, and what that cut put there stands where it put it. Anything else, however it fails, gives undefined: a record
 * may be forged, and a marker in a text proves nothing. The record comes back as a copy, each field read once.
 *
 * A content that is absent is matched by the record of a turn budget that left nothing of it: `maxBytes` and `keptBytes` are 0.
 */
export function matchTruncation(content: string | undefined, record: unknown): Truncation | undefined {
  if (content === undefined) return matchRemoval(record);
  return readCut(content, byteLength(content), record)?.truncation;
}

/** A record that matches, and the parts of the content that are not the marker. */
export interface EarlierCut {
  readonly truncation: Truncation;
  readonly remains: TextRemains;
}

/** What an earlier cut left, if the record matches the content, which has `contentBytes`. */
export function readCut(content: string, contentBytes: number, record: unknown): EarlierCut | undefined {
  const truncation = copyRecord(record);
  if (truncation === undefined || !isMaxBytes(truncation.maxBytes)) return undefined;
  const { maxBytes, originalBytes, keptBytes, droppedBytes, keep = "head" } = truncation;
  const form = formOf(keep, originalBytes, maxBytes);
  const gap = formatGap(form, originalBytes, droppedBytes, maxBytes);
  if (contentBytes !== keptBytes + gap.length || contentBytes > maxBytes) return undefined;
  const startUnits = findGap(content, contentBytes, form, gap, roomForEnds(originalBytes, maxBytes));
  if (startUnits === undefined) return undefined;
  const start = content.slice(0, startUnits);
  const end = content.slice(startUnits + gap.length);
  const startBytes = byteLength(start);
  return { truncation, remains: { start, startBytes, end, endBytes: keptBytes - startBytes, originalBytes } };
}

/** Where the gap begins, in UTF-16 units, if it stands where a cut of this form puts it. */
function findGap(content: string, contentBytes: number, form: Keep, gap: string, room: number): number | undefined {
  switch (form) {
    case "head":
      return content.endsWith(gap) ? content.length - gap.length : undefined;
    case "tail":
      return content.startsWith(gap) ? 0 : undefined;
    case "ends": {
      // The start is at most half of the room, and less than a character short of that.
      const { units } = fitPrefix(content, contentBytes, Math.floor(room / 2));
      return [units, units - 1, units - 2, units - 3].find((at) => at >= 0 && content.startsWith(gap, at));
    }
  }
}

function matchRemoval(record: unknown): Truncation | undefined {
  const truncation = copyRecord(record);
  return truncation?.maxBytes === 0 && truncation.keptBytes === 0 && truncation.reason !== undefined
    ? truncation
    : undefined;
}

function copyRecord(record: unknown): Truncation | undefined {
  try {
    if (typeof record !== "object" || record === null) return undefined;
    const {
      maxBytes,
      originalBytes,
      keptBytes,
      droppedBytes,
      keep,
      reason,
    }: Partial<Record<keyof Truncation, unknown>> = record;
    if (!isCount(maxBytes) || !isCount(originalBytes) || !isCount(keptBytes) || !isCount(droppedBytes))
      return undefined;
    if (droppedBytes === 0 || originalBytes !== keptBytes + droppedBytes) return undefined;
    if (keep !== undefined && !isKeep(keep)) return undefined;
    return {
      maxBytes,
      originalBytes,
      keptBytes,
      droppedBytes,
      ...(keep !== undefined && keep !== "head" && { keep }),
      ...(reason === "turn-budget" && { reason }),
    };
  } catch {
    // A getter or proxy that throws is one more record that does not match.
    return undefined;
  }
}

function isCount(bytes: unknown): bytes is number {
  return typeof bytes === "number" && Number.isSafeInteger(bytes) && bytes >= 0;
}
