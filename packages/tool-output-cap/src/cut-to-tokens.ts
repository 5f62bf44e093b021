import { type CutText, type Ends, fitEnds, joinEnds, type Remains } from "./cut-text.js";
import { chooseStyle, formatGap, formatTokens, type MarkerStyle } from "./marker.js";
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

/**
 * Cuts a text that has too many tokens or bytes, or that has been cut before. The result was counted as it stands, marker
 * included, unless it has no more bytes than the limit has tokens. `whole` is the count of the text, where it was counted.
 */
export function cutToTokens(remains: Remains, cap: TokenCap, whole: Count | undefined): CutText {
  const { originalBytes, keep = "head" } = remains.truncation;
  const knownTokens = whole ? project(whole, originalBytes) : countedBefore(remains, cap);
  // No token is shorter than a byte, so that the bytes are the longest number that there can be.
  const longest = formatTokens(originalBytes, true);
  const style = chooseStyle(keep, longest, cap.certainBytes);
  const cut: Cut = { remains, cap, knownTokens, style };
  const steps = planSteps(cut, formatGap(style, longest).length);
  const found = findLongest(cut, steps);
  const hasCountsLeft = whole !== undefined && isFresh(remains) && 1 + steps.mostCounts + 2 <= MAX_COUNTS;
  let { part } = found;
  if (knownTokens === undefined) part = tellLikely(found, cut);
  else if (hasCountsLeft) part = tellExactly(found, knownTokens, cut);
  const { ends, gap, droppedTokens, estimated } = part;
  const keptTokens = knownTokens === undefined ? share(ends.bytes, found) : knownTokens - droppedTokens;
  return {
    text: joinEnds(ends, gap),
    truncation: {
      maxBytes: cap.maxBytes,
      originalBytes,
      keptBytes: ends.bytes,
      droppedBytes: originalBytes - ends.bytes,
      tokens: {
        maxTokens: cap.maxTokens,
        originalTokens: keptTokens + droppedTokens,
        keptTokens,
        droppedTokens,
        estimated,
      },
      ...(keep !== "head" && { keep }),
    },
  };
}

/** What is to be cut, and how. */
interface Cut {
  readonly remains: Remains;
  readonly cap: TokenCap;
  /** Of the text before any cut, where all of it was counted. */
  readonly knownTokens: number | undefined;
  readonly style: MarkerStyle;
}

/** A result that may be: what stays, and the marker. */
interface Part {
  readonly ends: Ends;
  readonly gap: string;
  readonly bytes: number;
  readonly droppedTokens: number;
  readonly estimated: boolean;
}

/** The longest part that fits, and what a counter said of it. */
interface Found extends Count {
  readonly part: Part;
}

/** A stretch of the grid: `low` fits for certain, `high` has more than there is. */
interface Steps {
  readonly count: number;
  readonly low: number;
  readonly high: number;
  readonly mostCounts: number;
}

function planSteps({ remains, cap: { ceilingBytes, certainBytes } }: Cut, gapBytes: number): Steps {
  const { start, end, truncation } = remains;
  const count = Math.min(GRID_STEPS, ceilingBytes);
  const thereBytes = isFresh(remains) ? truncation.originalBytes : start.bytes + end.bytes;
  const low = Math.floor(((certainBytes - gapBytes) * count) / ceilingBytes);
  const high = Math.min(count, Math.ceil((thereBytes * count) / ceilingBytes)) + 1;
  return { count, low, high, mostCounts: Math.ceil(Math.log2(Math.max(1, high - low))) };
}

function findLongest(cut: Cut, { count, ...steps }: Steps): Found {
  const { remains, cap, style } = cut;
  const { originalBytes } = remains.truncation;
  const mostBytes = mostBytesOf(cut);
  const cutAt = (step: number): Part => {
    const ends = fitEnds(remains, style.shape, Math.floor((step * cap.ceilingBytes) / count));
    return toPart(ends, estimateDropped(originalBytes - ends.bytes, cut), true, style);
  };
  let { low, high } = steps;
  let part = cutAt(low);
  let tokens = part.bytes;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const next = cutAt(middle);
    const isPart = next.bytes <= mostBytes && next.ends.bytes < originalBytes;
    const counted = isPart ? countOf(next, cap) : Number.POSITIVE_INFINITY;
    if (counted <= cap.maxTokens) [low, part, tokens] = [middle, next, counted];
    else high = middle;
  }
  // Of nothing, nothing is learned.
  return { part, ...(part.bytes === 0 ? { tokens: 1, bytes: 1 } : { tokens, bytes: part.bytes }) };
}

/** What is too big to count is taken to be as dense as what stays of it. */
function tellLikely(found: Found, { remains, cap, style }: Cut): Part {
  const { part } = found;
  const droppedBytes = remains.truncation.originalBytes - part.ends.bytes;
  const likely = toPart(part.ends, Math.max(1, share(droppedBytes, found)), true, style);
  const isBetter = likely.droppedTokens < part.droppedTokens && countOf(likely, cap) <= cap.maxTokens;
  return isBetter ? likely : part;
}

/** The number of what was dropped, counted, where it can be and the result still fits. */
function tellExactly({ part }: Found, knownTokens: number, cut: Cut): Part {
  const { remains, cap, style } = cut;
  const { start, truncation } = remains;
  const { head, tail, bytes } = part.ends;
  const droppedBytes = truncation.originalBytes - bytes;
  const dropped = toWellFormed(start.text.slice(head.length, start.text.length - tail.length));
  const exact = toPart(part.ends, countTokens(cap.counter, dropped, droppedBytes), false, style);
  const least = Math.max(1, knownTokens - cap.maxTokens);
  const isSplit = exact.droppedTokens >= least && exact.droppedTokens <= knownTokens;
  const fits = isSplit && exact.bytes <= mostBytesOf(cut) && countOf(exact, cap) <= cap.maxTokens;
  return fits ? exact : part;
}

/** No result has more bytes than its text. */
function mostBytesOf({ remains, cap }: Cut): number {
  return isFresh(remains) ? Math.min(cap.ceilingBytes, remains.truncation.originalBytes) : cap.ceilingBytes;
}

function toPart(ends: Ends, droppedTokens: number, estimated: boolean, style: MarkerStyle): Part {
  const gap = formatGap(style, formatTokens(droppedTokens, estimated));
  return { ends, gap, bytes: ends.bytes + gap.length, droppedTokens, estimated };
}

/** What is known is shared by the bytes, but that no more than the limit can have stayed. */
function estimateDropped(droppedBytes: number, { remains, cap, knownTokens }: Cut): number {
  if (knownTokens === undefined) return droppedBytes;
  const known = { tokens: knownTokens, bytes: remains.truncation.originalBytes };
  return Math.max(1, share(droppedBytes, known), knownTokens - cap.maxTokens);
}

/** The tokens of a part; of one that fits for certain, its bytes. */
function countOf({ ends, gap, bytes }: Part, { certainBytes, counter }: TokenCap): number {
  return bytes <= certainBytes ? bytes : countTokens(counter, joinEnds(ends, gap), bytes);
}

/** The tokens of a text of which an earlier cut counted the whole, since it was within a ceiling that was no lower. */
function countedBefore({ truncation: { originalBytes, tokens } }: Remains, cap: TokenCap): number | undefined {
  return originalBytes <= cap.ceilingBytes ? tokens?.originalTokens : undefined;
}

/** The tokens of so many bytes, as dense as what was counted; 1 to the bytes. */
function project(count: Count, originalBytes: number): number {
  return Math.min(Math.max(1, share(originalBytes, count)), originalBytes);
}

/** The tokens of some bytes, as dense as what was counted. The product comes first: a quotient is rounded, and `25 * (7 / 25)` is above 7. */
function share(bytes: number, counted: Count): number {
  return Math.ceil((bytes * counted.tokens) / counted.bytes);
}

/** Whether the text has not been cut before. */
function isFresh({ start, end }: Remains): boolean {
  return start === end;
}
