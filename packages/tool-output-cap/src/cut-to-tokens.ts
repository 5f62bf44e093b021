import { type CutText, type Ends, fitEnds, joinEnds, type Remains } from "./cut-text.js";
import { chooseStyle, formatGap, formatTokens } from "./marker.js";
import { toWellFormed } from "./to-well-formed.js";
import { countTokens, type TokenCap } from "./token-cap.js";

/** The parts that are tried are multiples of the ceiling / 2,048. Some fit for certain: 11 counts find the longest of the others. */
const GRID_STEPS = 2_048;
/** In all, the count of the whole text included. */
const MAX_COUNTS = 12;

/** What a counter said of a text. */
export interface Count {
  readonly tokens: number;
  readonly bytes: number;
}

interface Candidate {
  readonly ends: Ends;
  readonly gap: string;
  /** Of what stays and the gap. */
  readonly bytes: number;
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
  const isFresh = start === end;
  const knownTokens = whole ? project(whole, originalBytes) : countedBefore(remains, cap);
  // No token is shorter than a byte, so that the bytes are the longest number that there can be.
  const longest = formatTokens(originalBytes, true);
  const style = chooseStyle(keep, longest, certainBytes);
  let counts = whole ? 1 : 0;

  const cutAt = (step: number): Candidate => {
    const ends = fitEnds(remains, style.shape, Math.floor((step * ceilingBytes) / steps));
    return toCandidate(ends, estimateDropped(originalBytes - ends.bytes), true);
  };
  const toCandidate = (ends: Ends, droppedTokens: number, estimated: boolean): Candidate => {
    const gap = formatGap(style, formatTokens(droppedTokens, estimated));
    return { ends, gap, bytes: ends.bytes + gap.length, droppedTokens, estimated };
  };
  const estimateDropped = (droppedBytes: number): number => {
    if (knownTokens === undefined) return droppedBytes;
    return Math.max(1, Math.ceil((droppedBytes / originalBytes) * knownTokens), knownTokens - maxTokens);
  };
  const countOf = ({ ends, gap, bytes }: Candidate): number => {
    if (bytes <= certainBytes) return bytes;
    counts++;
    return countTokens(cap.counter, joinEnds(ends, gap), bytes);
  };

  const mostBytes = isFresh ? Math.min(ceilingBytes, originalBytes) : ceilingBytes;
  const thereBytes = isFresh ? originalBytes : start.bytes + end.bytes;
  const steps = Math.min(GRID_STEPS, ceilingBytes);
  let high = Math.min(steps, Math.ceil((thereBytes * steps) / ceilingBytes)) + 1;
  let low = Math.floor(((certainBytes - formatGap(style, longest).length) * steps) / ceilingBytes);
  let best = cutAt(low);
  let tokens = best.bytes;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const candidate = cutAt(middle);
    const isPart = candidate.bytes <= mostBytes && candidate.ends.bytes < originalBytes;
    const counted = isPart ? countOf(candidate) : Number.POSITIVE_INFINITY;
    if (counted <= maxTokens) [low, best, tokens] = [middle, candidate, counted];
    else high = middle;
  }

  const { ends } = best;
  const droppedBytes = originalBytes - ends.bytes;
  // What is too big to count is taken to be as dense as what stays of it. Of nothing, nothing is learned.
  const density = best.bytes === 0 ? 1 : tokens / best.bytes;
  if (knownTokens === undefined) {
    const likely = toCandidate(ends, Math.max(1, Math.ceil(droppedBytes * density)), true);
    if (likely.droppedTokens < best.droppedTokens && countOf(likely) <= maxTokens) best = likely;
  } else if (isFresh && counts + 2 <= MAX_COUNTS && droppedBytes <= ceilingBytes) {
    const dropped = toWellFormed(start.text.slice(ends.head.length, start.text.length - ends.tail.length));
    counts++;
    const exact = toCandidate(ends, countTokens(cap.counter, dropped, droppedBytes), false);
    const isSplit = exact.droppedTokens > 0 && exact.droppedTokens <= knownTokens;
    if (isSplit && exact.bytes <= mostBytes && countOf(exact) <= maxTokens) best = exact;
  }
  const { gap, droppedTokens, estimated } = best;
  const keptTokens = knownTokens === undefined ? Math.ceil(ends.bytes * density) : knownTokens - droppedTokens;
  return {
    text: joinEnds(ends, gap),
    truncation: {
      maxBytes,
      originalBytes,
      keptBytes: ends.bytes,
      droppedBytes,
      tokens: { maxTokens, originalTokens: keptTokens + droppedTokens, keptTokens, droppedTokens, estimated },
      ...(keep !== "head" && { keep }),
    },
  };
}

/** The tokens of a text of which an earlier cut counted the whole, since it was within a ceiling that was no lower. */
function countedBefore({ truncation: { originalBytes, tokens } }: Remains, cap: TokenCap): number | undefined {
  return originalBytes <= cap.ceilingBytes ? tokens?.originalTokens : undefined;
}

/** The tokens of so many bytes, as dense as what was counted; 1 to the bytes. */
function project({ tokens, bytes }: Count, originalBytes: number): number {
  return Math.min(Math.max(1, Math.ceil((originalBytes / bytes) * tokens)), originalBytes);
}
