import { byteLength } from "#utf8";
import type { Keep } from "../limits.js";
import { chooseStyle, formatBytes, formatGap } from "../marker.js";
import { copyRecord } from "../match-truncation.js";
import type { ContentRemains } from "./fill-content.js";
import type { Block, CuttableText } from "./read-block.js";
import { isRecord, readMember } from "./read-json.js";

/** What an earlier cut of content left, and what it kept. */
export interface EarlierContentCut {
  readonly remains: ContentRemains;
  readonly keep: Keep;
}

/**
 * Reads what an earlier cut left of content that has `contentBytes`, if the record matches it: the sizes are what the numbers
 * say, and a text block has the marker where the cut puts it. Anything else gives undefined: a record may be forged.
 */
export function readContentCut(
  blocks: readonly Block[],
  contentBytes: number,
  record: unknown,
): EarlierContentCut | undefined {
  const truncation = copyRecord(record);
  if (truncation === undefined) return undefined;
  const { maxBytes, originalBytes, keptBytes, droppedBytes, keep = "head" } = truncation;
  const droppedBlocks = isRecord(record) ? readMember(record, "droppedBlocks") : undefined;
  if (typeof droppedBlocks !== "number" || !Number.isSafeInteger(droppedBlocks) || droppedBlocks < 0) return undefined;
  const style = chooseStyle(keep, formatBytes(originalBytes), maxBytes - 1);
  const { shape } = style;
  const gap = formatGap(style, formatBytes(droppedBytes));
  const gapBytes = contentBytes - keptBytes;
  const found = gap === "" ? { before: blocks, behind: [] } : findGap(blocks, gap, gapBytes);
  if (found === undefined || (gap === "" && gapBytes !== 0)) return undefined;
  const { before, behind } = shape === "tail" && gap === "" ? { before: [], behind: blocks } : found;
  return { remains: { blocks: [...before, ...behind], seam: before.length, originalBytes, droppedBlocks }, keep };
}

interface Sides {
  readonly before: readonly Block[];
  readonly behind: readonly Block[];
}

/** The first text block that has the marker where a cut puts it, at the cost that it had there. */
function findGap(blocks: readonly Block[], gap: string, gapBytes: number): Sides | undefined {
  const marker = gap.trim();
  for (const [index, block] of blocks.entries()) {
    const { cuttable } = block;
    if (!cuttable?.isAll || !cuttable.text.includes(marker)) continue;
    const sides =
      cuttable.text === marker && gapBytes === marker.length + 1 ? [] : splitAt(block, cuttable, gap, gapBytes);
    if (sides === undefined) continue;
    const [first, last] = sides;
    return {
      before: [...blocks.slice(0, index), ...(first === undefined ? [] : [first])],
      behind: [...(last === undefined ? [] : [last]), ...blocks.slice(index + 1)],
    };
  }
  return undefined;
}

/** The parts beside the marker. Newlines stand only where there is a part. */
function splitAt(
  block: Block,
  cuttable: CuttableText,
  gap: string,
  gapBytes: number,
): readonly [Block | undefined, Block | undefined] | undefined {
  const { text } = cuttable;
  for (const shape of [gap, gap.trimStart(), gap.trimEnd()]) {
    if (shape.length !== gapBytes) continue;
    const at = shape === gap ? text.indexOf(shape) : shape === gap.trimEnd() ? text.length - shape.length : 0;
    if (at < 0 || !text.startsWith(shape, at)) continue;
    return [makePart(block, cuttable, text.slice(0, at)), makePart(block, cuttable, text.slice(at + shape.length))];
  }
  return undefined;
}

function makePart(origin: Block, of: CuttableText, text: string): Block | undefined {
  if (text === "") return undefined;
  const bytes = byteLength(text);
  return { origin, wasCut: true, whole: of.withText(text), bytes: bytes + 1, cuttable: { ...of, text, bytes } };
}
