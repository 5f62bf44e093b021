import { fitPrefix, fitSuffix } from "#utf8";
import { type CutText, type Ends, fitEnds, joinEnds, type Remains } from "./cut-text.js";
import { chooseStyle, formatGap, formatTokens } from "./marker.js";
import { toWellFormed } from "./to-well-formed.js";
import { countTokens, type TokenCap } from "./token-cap.js";

/** The parts that are tried are multiples of the ceiling / 2,048. Some fit for certain: 11 counts find the longest of the others. */
const GRID_STEPS = 2_048;
/** In all, the count of the whole text or of a sample included. */
const MAX_COUNTS = 12;
/** What is too big to count is taken to be as dense as so much of it. */
const SAMPLE_BYTES = 512;

/** What a counter said of a text. */
export interface Count {
  readonly tokens: number;
  readonly bytes: number;
}

interface Candidate {
  readonly ends: Ends;
  readonly gap: string;
  readonly droppedTokens: number;
  readonly estimated: boolean;
}

/**
 * Cuts a text that has too many tokens or bytes, or that has been cut before. The result was counted as it stands, marker
 * included, unless it has no more bytes than the limit has tokens. `whole` is the count of the text, where it was counted.
 */
export function cutToTokens(remains: Remains, cap: TokenCap, whole: Count | undefined): CutText {
  const { start, end, truncation } = remains;
  const { originalBytes, keep = "head" } = truncation;
  const { maxBytes, maxTokens, ceilingBytes, certainBytes } = cap;
  const originalTokens =
    truncation.tokens?.originalTokens ?? project(whole ?? countSample(remains, cap), originalBytes);
  const longest = formatTokens(originalTokens, true);
  const style = chooseStyle(keep, longest, certainBytes);
  const mostBytes = Math.min(ceilingBytes, originalBytes);
  const steps = Math.min(GRID_STEPS, ceilingBytes);
  let counts = 1;

  const cutAt = (step: number): Candidate => {
    const ends = fitEnds(remains, style.shape, Math.floor((step * ceilingBytes) / steps));
    const share = (originalBytes - ends.bytes) / originalBytes;
    return toCandidate(ends, Math.max(1, Math.ceil(share * originalTokens)), true);
  };
  const toCandidate = (ends: Ends, droppedTokens: number, estimated: boolean): Candidate => {
    return { ends, gap: formatGap(style, formatTokens(droppedTokens, estimated)), droppedTokens, estimated };
  };
  const fits = ({ ends, gap }: Candidate): boolean => {
    const bytes = ends.bytes + gap.length;
    if (bytes > mostBytes || ends.bytes >= originalBytes) return false;
    if (bytes <= certainBytes) return true;
    counts++;
    return countTokens(cap.counter, joinEnds(ends, gap), bytes) <= maxTokens;
  };

  const isFresh = start === end;
  const there = isFresh ? originalBytes : start.bytes + end.bytes;
  let high = Math.min(steps, Math.ceil((there * steps) / ceilingBytes)) + 1;
  let low = Math.floor(((certainBytes - formatGap(style, longest).length) * steps) / ceilingBytes);
  let best = cutAt(low);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const candidate = cutAt(middle);
    if (fits(candidate)) [low, best] = [middle, candidate];
    else high = middle;
  }

  const droppedBytes = originalBytes - best.ends.bytes;
  if (isFresh && whole && counts + 2 <= MAX_COUNTS && droppedBytes <= ceilingBytes) {
    const { head, tail } = best.ends;
    const dropped = toWellFormed(start.text.slice(head.length, start.text.length - tail.length));
    const exact = toCandidate(best.ends, countTokens(cap.counter, dropped, droppedBytes), false);
    if (exact.droppedTokens > 0 && exact.droppedTokens <= originalTokens && fits(exact)) best = exact;
  }
  const { ends, gap, droppedTokens, estimated } = best;
  const tokens = { maxTokens, originalTokens, keptTokens: originalTokens - droppedTokens, droppedTokens, estimated };
  return {
    text: joinEnds(ends, gap),
    truncation: {
      maxBytes,
      originalBytes,
      keptBytes: ends.bytes,
      droppedBytes,
      tokens,
      ...(keep !== "head" && { keep }),
    },
  };
}

function countSample({ start, end, truncation: { keep } }: Remains, cap: TokenCap): Count {
  const room = Math.min(SAMPLE_BYTES, cap.ceilingBytes);
  const { text, bytes } = keep === "tail" ? fitSuffix(end, room) : fitPrefix(start, room);
  // Joined of two parts, for one alone is not copied: a counter may remember what it has counted, and a slice would keep the
  // whole text alive.
  const sample = toWellFormed(text);
  const flat = [sample.slice(0, 1), sample.slice(1)].join("");
  return { tokens: countTokens(cap.counter, flat, bytes), bytes };
}

/** The tokens of so many bytes, as dense as what was counted; 1 to the bytes. Of nothing, nothing is learned. */
function project({ tokens, bytes }: Count, originalBytes: number): number {
  const projected = bytes === 0 ? originalBytes : Math.ceil((originalBytes / bytes) * tokens);
  return Math.min(Math.max(1, projected), originalBytes);
}
