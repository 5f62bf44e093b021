import type { Keep } from "../limits.js";
import type { ContentTruncation } from "./call-tool-result.js";
import { cutContent } from "./cut-content.js";
import { readBlock } from "./read-block.js";
import { readContentCut } from "./read-content-cut.js";

/** Content within its limit: the same array where it was. */
export interface CappedContent {
  readonly content: readonly unknown[];
  readonly truncation?: ContentTruncation;
}

/** Brings content within `maxBytes`. Where the record of an earlier cut matches it, the new one counts from the original. */
export function capContent(
  content: readonly unknown[],
  maxBytes: number,
  keep: Keep,
  maxMediaBytes: number,
  record: unknown,
): CappedContent {
  const blocks = content.map((source) => readBlock(source, maxMediaBytes));
  const bytes = blocks.reduce((sum, block) => sum + block.bytes, 0);
  if (bytes <= maxBytes) {
    const isSame = blocks.every(({ whole }, index) => whole === content[index]);
    return { content: isSame ? content : blocks.map(({ whole }) => whole) };
  }
  const earlier = readContentCut(blocks, bytes, record);
  if (earlier !== undefined) return cutContent(earlier.remains, maxBytes, earlier.keep);
  return cutContent({ blocks, originalBytes: bytes, droppedBlocks: 0 }, maxBytes, keep);
}
