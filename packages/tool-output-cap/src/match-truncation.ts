import { fitPrefix } from "#utf8";
import { isCount, isKeep, isMaxBytes } from "./limits.js";
import { formatGap, shapeOf } from "./marker.js";
import { measure, type Piece } from "./piece.js";
import type { Truncation } from "./truncation.js";

/**
 * The record of an earlier cut, if it matches the content: its numbers can come from one cut, the content has the size that
 * they say, and what that cut put there stands where it put it. Anything else, however it fails, gives undefined: a record
 * may be forged, and a marker in a text proves nothing. The record comes back as a copy, each field read once.
 *
 * A content that is absent is matched by the record of a limit, a turn budget's say, that left nothing of it: `maxBytes` and `keptBytes` are 0.
 */
export function matchTruncation(content: string | undefined, record: unknown): Truncation | undefined {
  return content === undefined ? matchRemoval(record) : readCut(measure(content), record)?.truncation;
}

/** What an earlier cut left of the two ends of a text, and the record that says so. */
export interface EarlierCut {
  readonly truncation: Truncation;
  readonly start: Piece;
  readonly end: Piece;
}

/** The earlier cut, if the record matches the content. */
export function readCut({ text, bytes }: Piece, record: unknown): EarlierCut | undefined {
  const truncation = copyRecord(record);
  if (truncation === undefined || !isMaxBytes(truncation.maxBytes) || bytes > truncation.maxBytes) return undefined;
  const { maxBytes, originalBytes, keptBytes, droppedBytes, keep = "head" } = truncation;
  const shape = shapeOf(keep, originalBytes, maxBytes);
  const gap = formatGap(shape, originalBytes, droppedBytes, maxBytes);
  if (bytes !== keptBytes + gap.length) return undefined;
  let at = shape === "head" ? text.length - gap.length : 0;
  if (shape === "ends") {
    // The start has at most half of the room, and less than a character short of that.
    const room = maxBytes - formatGap(shape, originalBytes, originalBytes, maxBytes).length;
    const most = fitPrefix({ text, bytes }, Math.floor(room / 2)).text.length;
    at = text.slice(0, most + gap.length).indexOf(gap, most - 3);
  }
  if (!text.startsWith(gap, at) || at < 0) return undefined;
  const start = measure(text.slice(0, at));
  return { truncation, start, end: { text: text.slice(at + gap.length), bytes: keptBytes - start.bytes } };
}

/** The record of a limit that left nothing of a text. */
export function matchRemoval(record: unknown): Truncation | undefined {
  const truncation = copyRecord(record);
  return truncation?.maxBytes === 0 && truncation.keptBytes === 0 ? truncation : undefined;
}

/** A record of numbers that can come from one cut, as a copy; undefined for anything else, however it fails. */
export function copyRecord(record: unknown): Truncation | undefined {
  try {
    const { maxBytes, originalBytes, keptBytes, droppedBytes, keep, reason } = record as Readonly<
      Partial<Record<keyof Truncation, unknown>>
    >;
    if (typeof record !== "object" || !isKeep(keep)) return undefined;
    if (!isCount(maxBytes) || !isCount(originalBytes) || !isCount(keptBytes) || !isCount(droppedBytes))
      return undefined;
    if (droppedBytes === 0 || originalBytes !== keptBytes + droppedBytes) return undefined;
    return {
      maxBytes,
      originalBytes,
      keptBytes,
      droppedBytes,
      ...(keep && keep !== "head" && { keep }),
      ...(reason === "turn-budget" && { reason }),
    };
  } catch {
    // No object, or a getter or proxy that throws: one more record that does not match.
    return undefined;
  }
}
