import { fitPrefix, fitSuffix } from "#utf8";
import type { Piece } from "../piece.js";
import { type Block, type CuttableText, textBlock } from "./read-block.js";

/** A block that stays, whole or in part, or what stands for it. */
export interface KeptBlock {
  /** The block that it was, or was a part of. */
  readonly origin: object;
  /** As the budget counts. */
  readonly bytes: number;
  readonly whole: unknown;
  /** What stays of its text, where that was cut, now or before. */
  readonly part?: Piece & { readonly of: CuttableText };
}

/** What fits, in order. */
export interface Taken {
  readonly kept: readonly KeptBlock[];
  /** Of the room; media take none of it. */
  readonly takenBytes: number;
  /** Where it came to an end: the blocks that it did not come to, with what is left of the one that it cut. */
  readonly rest: readonly Block[];
}

type Media = ReadonlySet<Block>;

interface Halves {
  readonly kept: KeptBlock;
  readonly left: Block;
}

/**
 * Takes blocks from the beginning while they fit. One that does not fit is cut where it has a text, and ends it; another is
 * left out, or what stands for it is taken, unless it is to end there.
 */
export function takeStart(
  blocks: readonly Block[],
  room: number,
  media: Media,
  endsAt: (block: Block) => boolean,
): Taken {
  return take(blocks, room, media, endsAt, splitStart);
}

/** The same from the end. */
export function takeEnd(blocks: readonly Block[], room: number, media: Media): Taken {
  const { kept, takenBytes, rest } = take(blocks.toReversed(), room, media, isCuttable, splitEnd);
  return { kept: kept.toReversed(), takenBytes, rest: rest.toReversed() };
}

export function isCuttable({ cuttable }: Block): boolean {
  return cuttable !== undefined;
}

/** A block that stays as it is. One that was cut before may have the marker beside its text again. */
export function keepWhole(block: Block): KeptBlock {
  const { origin = block, bytes, whole, cuttable, wasCut } = block;
  const kept = { origin, bytes, whole };
  return wasCut && cuttable !== undefined
    ? { ...kept, part: { text: cuttable.text, bytes: cuttable.bytes, of: cuttable } }
    : kept;
}

function take(
  blocks: readonly Block[],
  room: number,
  media: Media,
  endsAt: (block: Block) => boolean,
  split: (block: Block, cuttable: CuttableText, room: number) => Halves | undefined,
): Taken {
  const kept: KeptBlock[] = [];
  let takenBytes = 0;
  for (const [index, block] of blocks.entries()) {
    const { bytes, isMedia, cuttable, standIn } = block;
    if (isMedia) {
      if (media.has(block)) kept.push(keepWhole(block));
      continue;
    }
    if (cuttable?.isAll && cuttable.bytes === 0) continue;
    if (bytes <= room - takenBytes) {
      kept.push(keepWhole(block));
      takenBytes += bytes;
      continue;
    }
    if (endsAt(block)) {
      const halves = cuttable && split(block, cuttable, room - takenBytes);
      if (halves === undefined) return { kept, takenBytes, rest: blocks.slice(index) };
      return {
        kept: [...kept, halves.kept],
        takenBytes: takenBytes + halves.kept.bytes,
        rest: [halves.left, ...blocks.slice(index + 1)],
      };
    }
    const other = standIn === undefined ? undefined : textBlock(standIn);
    if (other === undefined || other.bytes > room - takenBytes) continue;
    kept.push({ ...keepWhole(other), origin: block.origin ?? block });
    takenBytes += other.bytes;
  }
  return { kept, takenBytes, rest: [] };
}

function splitStart(block: Block, cuttable: CuttableText, room: number): Halves | undefined {
  const { text, bytes } = fitPrefix(cuttable, Math.max(0, room - fixedBytes(block, cuttable)));
  return makeHalves(block, cuttable, { text, bytes }, cuttable.text.slice(text.length));
}

function splitEnd(block: Block, cuttable: CuttableText, room: number): Halves | undefined {
  const { text, bytes } = fitSuffix(cuttable, Math.max(0, room - fixedBytes(block, cuttable)));
  return makeHalves(block, cuttable, { text, bytes }, cuttable.text.slice(0, cuttable.text.length - text.length));
}

/** What a block takes besides the text that can be cut. */
function fixedBytes(block: Block, cuttable: CuttableText): number {
  return block.bytes - cuttable.bytes;
}

function makeHalves(block: Block, of: CuttableText, { text, bytes }: Piece, leftText: string): Halves | undefined {
  if (text === "") return undefined;
  const origin = block.origin ?? block;
  const left = { ...of, text: leftText, bytes: of.bytes - bytes };
  // Two parts of a text block become one again, with the marker between them. Others stay two.
  const leftBytes = of.isAll ? left.bytes : block.bytes - bytes;
  return {
    kept: { origin, bytes: block.bytes - left.bytes, whole: undefined, part: { text, bytes, of } },
    left: { ...block, origin, wasCut: true, bytes: leftBytes, whole: undefined, cuttable: left },
  };
}
