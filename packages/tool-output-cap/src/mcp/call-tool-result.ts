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
