import { fitPrefix, fitSuffix } from "#utf8";
import type { Keep } from "./limits.js";
import { chooseStyle, formatBytes, formatGap } from "./marker.js";
import type { Piece } from "./piece.js";
import { toWellFormed } from "./to-well-formed.js";
import type { Truncation } from "./truncation.js";

/** How much of the room beside the marker goes to the beginning of the text; the end has the rest. */
const START_SHARE = { head: 1, ends: 0.5, tail: 0 };

/** What there is of the two ends of a text: the whole text twice, or what an earlier cut left of each. */
export interface Remains {
  readonly start: Piece;
  readonly end: Piece;
  /** The text before any cut, and what of it is to stay. */
  readonly truncation: Pick<Truncation, "originalBytes" | "tokens"> & { readonly keep?: Keep | undefined };
}

/** A text that was cut. */
export interface CutText {
  readonly text: string;
  readonly truncation: Truncation;
}

/** Cuts a text that is too big, or that has been cut before. */
export function cutText(remains: Remains, maxBytes: number): CutText {
  const { originalBytes, keep = "head" } = remains.truncation;
  const style = chooseStyle(keep, formatBytes(originalBytes), maxBytes);
  // N, the dropped bytes in the marker, is known only after the cut, and its digits take room. Two ends leave room for the
  // digits of the whole. Otherwise start from the smallest N that there can be, cut, and cut again if N gained a digit: two
  // rounds at most. (A forged record may claim an original that would have fitted.)
  let droppedBytes = style.shape === "ends" ? originalBytes : Math.max(0, originalBytes - maxBytes);
  for (;;) {
    const ends = fitEnds(remains, style.shape, maxBytes - formatGap(style, formatBytes(droppedBytes)).length);
    const keptBytes = ends.bytes;
    droppedBytes = originalBytes - keptBytes;
    const gap = formatGap(style, formatBytes(droppedBytes));
    if (keptBytes + gap.length > maxBytes) continue;
    return {
      text: joinEnds(ends, gap),
      truncation: { maxBytes, originalBytes, keptBytes, droppedBytes, ...(keep !== "head" && { keep }) },
    };
  }
}

/** What stays of a text, at its beginning and at its end. */
export interface Ends {
  readonly head: string;
  readonly tail: string;
  /** Of both. */
  readonly bytes: number;
}

/** The most that fits in so many bytes. */
export function fitEnds({ start, end }: Remains, shape: Keep, room: number): Ends {
  const startRoom = Math.floor(room * START_SHARE[shape]);
  const head = fitPrefix(start, startRoom);
  const tail = fitSuffix(end, room - startRoom);
  return { head: head.text, tail: tail.text, bytes: head.bytes + tail.bytes };
}

/** One flat text that shares no memory with its parts: V8 keeps the parent of a slice, of `+` and of a template alive. */
export function joinEnds({ head, tail }: Ends, gap: string): string {
  return [toWellFormed(head), gap, toWellFormed(tail)].join("");
}
