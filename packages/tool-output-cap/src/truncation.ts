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
  /** What was kept, where it is not the head. */
  readonly keep?: Keep;
  /** Set where not the tool's own limit but the budget of a batch made the cut. A budget may leave 0 bytes, and no text. */
  readonly reason?: "turn-budget";
}

/** A text within its limit; `truncation` is there exactly where it was cut. */
export interface CappedText {
  readonly text: string;
  readonly truncation?: Truncation;
}
