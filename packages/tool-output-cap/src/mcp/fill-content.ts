import type { Keep } from "../limits.js";
import type { Block } from "./read-block.js";
import { isCuttable, type KeptBlock, keepWhole, takeEnd, takeStart } from "./take-blocks.js";

/** What there is of content: all of its blocks, or those that an earlier cut left before its gap and after it. */
export interface ContentRemains {
  readonly blocks: readonly Block[];
  /** How many of them stand before the gap; absent where there was no cut. */
  readonly seam?: number;
  /** UTF-8 bytes before any cut, as the budget counts. */
  readonly originalBytes: number;
  /** Blocks that an earlier cut dropped. */
  readonly droppedBlocks: number;
}

/** What stays before the gap and after it, each in order. */
export interface Filling {
  readonly start: readonly KeptBlock[];
  readonly end: readonly KeptBlock[];
}

/** Fills the room from the beginning, from the end, or half from each. Media come first, for their one byte each. */
export function fillContent({ blocks, seam }: ContentRemains, roomBytes: number, shape: Keep): Filling {
  const media = new Set(blocks.filter(({ isMedia }) => isMedia).slice(0, Math.max(0, roomBytes)));
  const room = roomBytes - media.size;
  const before = blocks.slice(0, seam);
  const behind = blocks.slice(seam ?? 0);
  const mediaOf = (others: readonly Block[]) => others.filter((block) => media.has(block)).map(keepWhole);
  switch (shape) {
    case "head": {
      const { kept, rest } = takeStart(before, room, media, isCuttable);
      return { start: [...kept, ...mediaOf(rest), ...mediaOf(seam === undefined ? [] : behind)], end: [] };
    }
    case "tail": {
      const { kept, rest } = takeEnd(behind, room, media);
      return { start: [], end: [...mediaOf(seam === undefined ? [] : before), ...mediaOf(rest), ...kept] };
    }
    case "ends": {
      // Half of the text's room, where there is one text: its block has a byte too.
      const first = takeStart(before, Math.floor((room - 1) / 2) + 1, media, () => true);
      const last = takeEnd(seam === undefined ? first.rest : behind, room - first.takenBytes, media);
      const between = seam === undefined ? [] : mediaOf(first.rest);
      return { start: [...first.kept, ...between], end: [...mediaOf(last.rest), ...last.kept] };
    }
  }
}
