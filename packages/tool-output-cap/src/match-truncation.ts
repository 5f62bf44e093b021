import { fitPrefix } from "#utf8";
import type { EarlierCut } from "./cap-text.js";
import { chooseStyle, formatBytes, formatGap, formatTokens } from "./marker.js";
import { measure, type Piece } from "./piece.js";
import { isCount, isKeep, isLimitFigure } from "./read-limit.js";
import { ceilingOf } from "./token-cap.js";
import type { TokenTruncation, Truncation } from "./truncation.js";

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

/** The earlier cut, if the record matches the content. */
export function readCut({ text, bytes }: Piece, record: unknown): EarlierCut | undefined {
  const truncation = copyRecord(record);
  if (truncation === undefined || !isLimitFigure(truncation.maxBytes)) return undefined;
  const { maxBytes, originalBytes, keptBytes, droppedBytes, tokens, keep = "head" } = truncation;
  if (bytes > ceilingOf({ maxBytes, ...(tokens && { maxTokens: tokens.maxTokens }) })) return undefined;
  const style = tokens
    ? chooseStyle(keep, formatTokens(originalBytes, true), Math.min(maxBytes, tokens.maxTokens))
    : chooseStyle(keep, formatBytes(originalBytes), maxBytes);
  const gap = formatGap(
    style,
    tokens ? formatTokens(tokens.droppedTokens, tokens.estimated) : formatBytes(droppedBytes),
  );
  if (bytes !== keptBytes + gap.length) return undefined;
  let at = style.shape === "head" ? text.length - gap.length : 0;
  if (style.shape === "ends") {
    // The start has at most half of the room, and less than a character short of that. The room in tokens is not known, but
    // that the start has as much as the end has, less a character: what stands before may be a text's own.
    const room = tokens ? keptBytes - 8 : maxBytes - formatGap(style, formatBytes(originalBytes)).length;
    const most = fitPrefix({ text, bytes }, Math.max(0, Math.floor(room / 2))).text.length;
    at = tokens ? text.indexOf(gap, most) : text.slice(0, most + gap.length).indexOf(gap, most - 3);
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
    const { maxBytes, originalBytes, keptBytes, droppedBytes, tokens, keep, reason } = record as Unread<Truncation>;
    const copiedTokens = tokens === undefined ? undefined : copyTokens(tokens);
    if (typeof record !== "object" || !isKeep(keep) || (tokens !== undefined && copiedTokens === undefined))
      return undefined;
    if (!isCount(maxBytes) || !isCount(originalBytes) || !isCount(keptBytes) || !isCount(droppedBytes))
      return undefined;
    if (droppedBytes === 0 || originalBytes !== keptBytes + droppedBytes) return undefined;
    // No token is shorter than a byte.
    if (copiedTokens && copiedTokens.originalTokens > originalBytes) return undefined;
    return {
      maxBytes,
      originalBytes,
      keptBytes,
      droppedBytes,
      ...(copiedTokens && { tokens: copiedTokens }),
      ...(keep && keep !== "head" && { keep }),
      ...(reason === "turn-budget" && { reason }),
    };
  } catch {
    // No object, or a getter or proxy that throws: one more record that does not match.
    return undefined;
  }
}

function copyTokens(tokens: unknown): TokenTruncation | undefined {
  const { maxTokens, originalTokens, keptTokens, droppedTokens, estimated } = tokens as Unread<TokenTruncation>;
  if (!isLimitFigure(maxTokens) || typeof estimated !== "boolean") return undefined;
  if (!isCount(originalTokens) || !isCount(keptTokens) || !isCount(droppedTokens)) return undefined;
  if (droppedTokens === 0 || originalTokens !== keptTokens + droppedTokens) return undefined;
  return { maxTokens, originalTokens, keptTokens, droppedTokens, estimated };
}

/** What should have these fields, of which nobody knows anything yet. */
type Unread<T> = Readonly<Partial<Record<keyof T, unknown>>>;
