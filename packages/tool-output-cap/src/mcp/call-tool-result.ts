import { describeValue } from "../describe-value.js";
import type { Truncation } from "../truncation.js";

/** What is capped besides the limit. */
export interface CallToolResultOptions {
  /**
   * The largest image or audio block that passes whole, in bytes of its base64, as providers count: an integer from 0 to
   * 2,147,483,647; 5 MiB by default. A larger one becomes a text that says what it was.
   */
  readonly maxMediaBytes?: number;
}

/** A cut of `content`, in UTF-8 bytes of all that a model can see of it, and one byte a block. */
export interface ContentTruncation extends Truncation {
  /** Blocks of which nothing stays. */
  readonly droppedBlocks: number;
}

/** What stands in `_meta["pod/truncation"]` of a result that was cut. */
export interface CallToolResultTruncation {
  readonly content?: ContentTruncation;
  /** In UTF-8 bytes of its JSON. */
  readonly structuredContent?: Truncation;
}

const DEFAULT_MAX_MEDIA_BYTES = 5_242_880;

/** The option, read once, or a RangeError. */
export function readMaxMediaBytes({ maxMediaBytes = DEFAULT_MAX_MEDIA_BYTES }: CallToolResultOptions): number {
  if (Number.isInteger(maxMediaBytes) && maxMediaBytes >= 0 && maxMediaBytes <= 2_147_483_647) return maxMediaBytes;
  throw new RangeError(
    `options.maxMediaBytes: expected an integer from 0 to 2147483647 (bytes of base64), received ${describeValue(maxMediaBytes)}. Write: ${DEFAULT_MAX_MEDIA_BYTES}`,
  );
}
