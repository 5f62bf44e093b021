import { fitPrefix } from "#utf8";
import { formatGap } from "../marker.js";
import type { ContentTruncation } from "./call-tool-result.js";
import { type Block, readBlock, textBlock } from "./read-block.js";

/** Content within its limit: the same array where it was. */
export interface CappedContent {
  readonly content: readonly unknown[];
  readonly truncation?: ContentTruncation;
}

export function capContent(content: readonly unknown[], maxBytes: number, maxMediaBytes: number): CappedContent {
  const blocks = content.map((source) => readBlock(source, maxMediaBytes));
  const originalBytes = blocks.reduce((bytes, block) => bytes + block.bytes, 0);
  if (originalBytes > maxBytes) return cutContent(blocks, originalBytes, maxBytes);
  const isSame = blocks.every(({ whole }, index) => whole === content[index]);
  return { content: isSame ? content : blocks.map(({ whole }) => whole) };
}

function cutContent(blocks: readonly Block[], originalBytes: number, maxBytes: number): CappedContent {
  // As in the cut of a text: the dropped bytes are known after the cut only, and their digits take room.
  let droppedBytes = Math.max(0, originalBytes - maxBytes);
  for (;;) {
    const suffix = formatGap("head", originalBytes, droppedBytes, maxBytes - 1);
    const filled = fill(blocks, maxBytes, suffix);
    droppedBytes = originalBytes - filled.keptBytes;
    if (formatGap("head", originalBytes, droppedBytes, maxBytes - 1).length > suffix.length) continue;
    const { content, keptBytes, droppedBlocks } = fill(
      blocks,
      maxBytes,
      formatGap("head", originalBytes, droppedBytes, maxBytes - 1),
    );
    return { content, truncation: { maxBytes, originalBytes, keptBytes, droppedBytes, droppedBlocks } };
  }
}

function fill(blocks: readonly Block[], maxBytes: number, suffix: string) {
  const marker = suffix.trimStart();
  // A marker may come to stand in a block of its own.
  let room = maxBytes - (suffix === "" ? 0 : Math.max(suffix.length, marker.length + 1));
  const content: unknown[] = [];
  let mediaLeft = blocks.reduce((count, { isMedia }) => count + (isMedia === true ? 1 : 0), 0);
  mediaLeft = Math.min(mediaLeft, Math.max(0, room));
  room -= mediaLeft;
  let keptBytes = 0;
  let droppedBlocks = 0;
  let isFull = false;
  let isMarked = suffix === "";
  for (const block of blocks) {
    if (block.isMedia) {
      if (mediaLeft > 0) {
        mediaLeft--;
        keptBytes++;
        content.push(block.whole);
      } else droppedBlocks++;
      continue;
    }
    if (!isFull && block.bytes <= room && block.cuttable?.bytes !== 0) {
      content.push(block.whole);
      room -= block.bytes;
      keptBytes += block.bytes;
      continue;
    }
    if (isFull) {
      droppedBlocks++;
      continue;
    }
    if (block.cuttable !== undefined && block.cuttable.bytes > 0) {
      const { text, bytes, withText } = block.cuttable;
      const fixedBytes = block.bytes - bytes;
      const kept = fitPrefix({ text, bytes }, Math.max(0, Math.min(bytes, room - fixedBytes)));
      isFull = true;
      if (kept.bytes === 0) {
        droppedBlocks++;
        continue;
      }
      keptBytes += kept.bytes + fixedBytes;
      const prefix = kept.text.toWellFormed();
      const inline = typeof block.whole === "object" && block.whole !== null && "text" in block.whole ? suffix : "";
      if (inline !== "") isMarked = true;
      content.push(withText([prefix, inline].join("")));
      continue;
    }
    const standIn = block.standIn === undefined ? undefined : textBlock(block.standIn);
    if (standIn !== undefined && standIn.bytes <= room) {
      room -= standIn.bytes;
      keptBytes += standIn.bytes;
      content.push(standIn.whole);
    } else droppedBlocks++;
  }
  if (!isMarked) content.push({ type: "text", text: marker });
  return { content, keptBytes, droppedBlocks };
}
