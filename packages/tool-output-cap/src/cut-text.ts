import { fitPrefix, fitSuffix } from "#utf8";
import type { Keep } from "./limits.js";
import { formatGap, shapeOf } from "./marker.js";
import type { Piece } from "./piece.js";
import { toWellFormed } from "./to-well-formed.js";
import type { CappedText } from "./truncation.js";

/** How much of the room beside the marker goes to the beginning of the text; the end has the rest. */
const START_SHARE = { head: 1, ends: 0.5, tail: 0 };

/**
 * Cuts a text that is too big, or that has been cut before. `start` and `end` are what there is of its two ends: both the
 * whole text, or what an earlier cut left of each. `originalBytes` is what the text had before any cut.
 */
export function cutText(
  start: Piece,
  end: Piece,
  originalBytes: number,
  maxBytes: number,
  keep: Keep = "head",
): CappedText {
  const shape = shapeOf(keep, originalBytes, maxBytes);
  // N, the dropped bytes in the marker, is known only after the cut, and its digits take room. Two ends leave room for the
  // digits of the whole. Otherwise start from the smallest N that there can be, cut, and cut again if N gained a digit: two
  // rounds at most. (A forged record may claim an original that would have fitted.)
  let droppedBytes = shape === "ends" ? originalBytes : Math.max(0, originalBytes - maxBytes);
  for (;;) {
    const room = maxBytes - formatGap(shape, originalBytes, droppedBytes, maxBytes).length;
    const startRoom = Math.floor(room * START_SHARE[shape]);
    const head = fitPrefix(start, startRoom);
    const tail = fitSuffix(end, room - startRoom);
    const keptBytes = head.bytes + tail.bytes;
    droppedBytes = originalBytes - keptBytes;
    const gap = formatGap(shape, originalBytes, droppedBytes, maxBytes);
    if (keptBytes + gap.length > maxBytes) continue;
    return {
      // Shares no memory with its parts: V8 keeps the parent of a slice, of `+` and of a template alive.
      text: [toWellFormed(head.text), gap, toWellFormed(tail.text)].join(""),
      truncation: { maxBytes, originalBytes, keptBytes, droppedBytes, ...(keep !== "head" && { keep }) },
    };
  }
}
