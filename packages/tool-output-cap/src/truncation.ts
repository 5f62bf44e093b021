import type { Keep } from "./limits.js";

/** What a cut did, in UTF-8 bytes of the well-formed text. It is the truth; the marker is prose. */
export interface Truncation {
  /** The limit that the text was cut to. */
  readonly maxBytes: number;
  /** The text before any cut. */
  readonly originalBytes: number;
  /** What stays of it. */
  readonly keptBytes: number;
  /** What went: `originalBytes - keptBytes`. */
  readonly droppedBytes: number;
  /** The same in tokens, where the limit was one in tokens. */
  readonly tokens?: TokenTruncation;
  /** What was kept, where it is not the head. */
  readonly keep?: Keep;
  /** Set where not the tool's own limit but the budget of a batch made the cut. A budget may leave 0 bytes, and no text. */
  readonly reason?: "turn-budget";
}

/** What a cut did, in tokens as the counter counts them. */
export interface TokenTruncation {
  /** The limit that the text was cut to. */
  readonly maxTokens: number;
  readonly originalTokens: number;
  readonly keptTokens: number;
  /** `originalTokens - keptTokens`; the marker says it. */
  readonly droppedTokens: number;
  /** Whether they follow from the bytes and the count of a part. A text may be too big to count what is dropped of it. */
  readonly estimated: boolean;
}

/** A text within its limit; `truncation` is there exactly where it was cut. */
export interface CappedText {
  readonly text: string;
  readonly truncation?: Truncation;
}
