import type { OutputLimit } from "./limits.js";

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
}

/** A text within its limit; `truncation` is there exactly where it was cut. */
export interface CappedText {
  readonly text: string;
  readonly truncation?: Truncation;
}

export function capText(_text: string, _limit: OutputLimit): CappedText {
  throw new Error("not yet");
}
