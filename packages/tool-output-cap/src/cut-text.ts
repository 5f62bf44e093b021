import { fitPrefix, type Part } from "./fit-prefix.js";
import { fitSuffix } from "./fit-suffix.js";
import type { Keep } from "./limits.js";
import { formatGap, roomForEnds } from "./marker.js";
import { toWellFormed } from "./to-well-formed.js";
import type { CappedText, Truncation } from "./truncation.js";

/**
 * What there is of a text: twice the text itself, or what an earlier cut left of its two ends. Sizes are UTF-8 bytes.
 * `originalBytes` is what the text had before any cut.
 */
export interface TextRemains {
  readonly start: string;
  readonly startBytes: number;
  readonly end: string;
  readonly endBytes: number;
  readonly originalBytes: number;
}

/** Cuts a text that is too big, or that has been cut before. */
export function cutText(remains: TextRemains, maxBytes: number, keep: Keep = "head"): CappedText {
  switch (formOf(keep, remains.originalBytes, maxBytes)) {
    case "head":
      return keepHead(remains, maxBytes, keep);
    case "tail":
      return keepTail(remains, maxBytes);
    case "ends":
      return keepEnds(remains, maxBytes);
  }
}

/** How the cut looks: where there is no room for two ends, as if the head alone were to stay. */
export function formOf(keep: Keep, originalBytes: number, maxBytes: number): Keep {
  return keep === "ends" && roomForEnds(originalBytes, maxBytes) < 1 ? "head" : keep;
}

function keepHead({ start, startBytes, originalBytes }: TextRemains, maxBytes: number, keep: Keep): CappedText {
  const [kept, gap] = fitBesideGap("head", originalBytes, maxBytes, (room) => fitPrefix(start, startBytes, room));
  const text = joinWithoutParent([toWellFormed(start.slice(0, kept.units)), gap]);
  return { text, truncation: recordCut(maxBytes, originalBytes, kept.bytes, keep) };
}

function keepTail({ end, endBytes, originalBytes }: TextRemains, maxBytes: number): CappedText {
  const [kept, gap] = fitBesideGap("tail", originalBytes, maxBytes, (room) => fitSuffix(end, endBytes, room));
  const text = joinWithoutParent([gap, toWellFormed(end.slice(end.length - kept.units))]);
  return { text, truncation: recordCut(maxBytes, originalBytes, kept.bytes, "tail") };
}

function keepEnds({ start, startBytes, end, endBytes, originalBytes }: TextRemains, maxBytes: number): CappedText {
  const room = roomForEnds(originalBytes, maxBytes);
  const first = fitPrefix(start, startBytes, Math.floor(room / 2));
  const last = fitSuffix(end, endBytes, room - Math.floor(room / 2));
  const truncation = recordCut(maxBytes, originalBytes, first.bytes + last.bytes, "ends");
  const gap = formatGap("ends", originalBytes, truncation.droppedBytes, maxBytes);
  const [head, tail] = [start.slice(0, first.units), end.slice(end.length - last.units)];
  return { text: joinWithoutParent([toWellFormed(head), gap, toWellFormed(tail)]), truncation };
}

/**
 * The longest part that fits beside the marker, and that marker. N, the dropped bytes in it, is known only after the cut,
 * and its digits take room. Start from the smallest N that there can be, cut, and cut again if N gained a digit: two rounds
 * at most. (A forged record may claim an original that would have fitted.)
 */
function fitBesideGap(
  keep: "head" | "tail",
  originalBytes: number,
  maxBytes: number,
  fitPart: (room: number) => Part,
): readonly [Part, string] {
  let gap = formatGap(keep, originalBytes, Math.max(0, originalBytes - maxBytes), maxBytes);
  let kept: Part;
  do {
    kept = fitPart(maxBytes - gap.length);
    gap = formatGap(keep, originalBytes, originalBytes - kept.bytes, maxBytes);
  } while (kept.bytes + gap.length > maxBytes);
  return [kept, gap];
}

function recordCut(maxBytes: number, originalBytes: number, keptBytes: number, keep: Keep): Truncation {
  const numbers = { maxBytes, originalBytes, keptBytes, droppedBytes: originalBytes - keptBytes };
  return keep === "head" ? numbers : { ...numbers, keep };
}

/** A new string that shares no memory with its parts: V8 keeps the parent of a slice, of `+` and of a template alive. */
function joinWithoutParent(parts: readonly string[]): string {
  return parts.join("");
}
