import type { Keep } from "../limits.js";
import { chooseStyle, formatBytes, formatGap } from "../marker.js";
import type { CappedContent } from "./cap-content.js";
import { type ContentRemains, type Filling, fillContent } from "./fill-content.js";
import { joinHalves } from "./json-text.js";
import type { KeptBlock } from "./take-blocks.js";

/** Cuts content that is too big, or that has been cut before. */
export function cutContent(remains: ContentRemains, maxBytes: number, keep: Keep): CappedContent {
  const { originalBytes } = remains;
  const style = chooseStyle(keep, formatBytes(originalBytes), maxBytes - 1);
  const { shape } = style;
  const formatFor = (droppedBytes: number) => formatGap(style, formatBytes(droppedBytes));
  // As in the cut of a text: N is known after the cut only, and its digits take room.
  let gap = formatFor(shape === "ends" ? originalBytes : Math.max(0, originalBytes - maxBytes));
  for (;;) {
    const filling = fillContent(remains, maxBytes - countGap(gap), shape);
    const keptBytes = countBytes(filling);
    const droppedBytes = Math.max(0, originalBytes - keptBytes);
    const gapBytes = gap.length;
    gap = formatFor(droppedBytes);
    if (gap.length > gapBytes) continue;
    const numbers = { maxBytes, originalBytes, keptBytes, droppedBytes, droppedBlocks: countDropped(remains, filling) };
    const truncation = keep === "head" ? numbers : { ...numbers, keep };
    return { content: assemble(filling, gap), truncation };
  }
}

/** The marker stands beside the text that is cut, or in a block of its own. */
function countGap(gap: string): number {
  return gap === "" ? 0 : Math.max(gap.length, gap.trim().length + 1);
}

function countBytes({ start, end }: Filling): number {
  const bytes = [...start, ...end].reduce((sum, kept) => sum + kept.bytes, 0);
  const after = end.find(hasOpenText);
  // Joined, the second part has no byte of its own for its block.
  return after !== undefined && isJoined({ start, end }) ? bytes - (after.bytes - after.part.bytes) : bytes;
}

function countDropped({ blocks, droppedBlocks }: ContentRemains, { start, end }: Filling): number {
  const there = new Set<object>(blocks.map((block) => block.origin ?? block));
  const kept = new Set([...start, ...end].map(({ origin }) => origin));
  return droppedBlocks + there.size - kept.size;
}

function assemble({ start, end }: Filling, gap: string): readonly unknown[] {
  const before = start.findLast(hasOpenText);
  const after = end.find(hasOpenText);
  if (before !== undefined && after !== undefined && isJoined({ start, end })) {
    const joined = withText(before, before.part.text + gap + after.part.text);
    return [...start, ...end].flatMap((kept) => (kept === before ? [joined] : kept === after ? [] : [toBlock(kept)]));
  }
  const marked = before ?? after;
  if (marked === undefined) {
    const marker = gap === "" ? [] : [{ type: "text", text: gap.trim() }];
    return [...start.map(toBlock), ...marker, ...end.map(toBlock)];
  }
  const text = before === undefined ? gap.trimStart() + marked.part.text : marked.part.text + gap.trimEnd();
  return [...start, ...end].map((kept) => (kept === marked ? withText(marked, text) : toBlock(kept)));
}

function isJoined({ start, end }: Filling): boolean {
  const before = start.findLast(hasOpenText);
  return before !== undefined && before.origin === end.find(hasOpenText)?.origin;
}

type OpenText = KeptBlock & Required<Pick<KeptBlock, "part">>;

function hasOpenText(kept: KeptBlock): kept is OpenText {
  return kept.part?.of.isAll === true;
}

function toBlock(kept: KeptBlock): unknown {
  return kept.part === undefined ? kept.whole : withText({ ...kept, part: kept.part }, kept.part.text);
}

function withText({ part }: OpenText, text: string): unknown {
  return part.of.withText(joinHalves(text));
}
