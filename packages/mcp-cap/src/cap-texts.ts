import { capText, type Keep, type OutputLimit, type Truncation } from "@pod/tool-output-cap";

/** What stays of several texts that are read one after the other. */
export interface CappedTexts {
  /** In the place of each text what stays of it; undefined for one that got no room. */
  readonly texts: readonly (string | undefined)[];
  readonly truncation: Truncation;
}

/** Room for the marker, so that a cut near the end of the budget is told, too. */
const MARKER_ROOM_BYTES = 128;

/** Of the room, what whole texts may take from the start, and from the end. */
const SHARES: Readonly<Record<Keep, readonly [start: number, end: number]>> = {
  head: [1, 0],
  tail: [0, 1],
  ends: [0.5, 0.5],
};

/**
 * Brings several texts within one limit. Whole ones stay at the end that is to be kept, what is left of the room goes to a
 * part of the next, and its marker counts all that goes. Undefined where all fit.
 */
export function capTexts(texts: readonly string[], limit: OutputLimit): CappedTexts | undefined {
  const bytes = texts.map((text) => Buffer.byteLength(text));
  const originalBytes = sum(bytes);
  if (originalBytes <= limit.maxBytes) return undefined;
  const { maxBytes, keep = "head" } = limit;
  const [startRoom, endRoom] = SHARES[keep].map((share) => share * (maxBytes - MARKER_ROOM_BYTES));
  const start = countFitting(bytes, startRoom);
  const end = texts.length - countFitting(bytes.slice(start).reverse(), endRoom);
  const wholeBytes = originalBytes - sum(bytes.slice(start, end));
  const cut = capText(texts.slice(start, end).join(""), { ...limit, maxBytes: maxBytes - wholeBytes });
  const place = keep === "tail" ? end - 1 : start;
  const { droppedBytes = 0 } = cut.truncation ?? {};
  return {
    texts: texts.map((text, index) => (index < start || index >= end ? text : index === place ? cut.text : undefined)),
    truncation: { ...cut.truncation, maxBytes, originalBytes, keptBytes: originalBytes - droppedBytes, droppedBytes },
  };
}

/** How many of the first texts fit, whole. */
function countFitting(bytes: readonly number[], roomBytes = 0): number {
  let taken = 0;
  const end = bytes.findIndex((each) => {
    taken += each;
    return taken > roomBytes;
  });
  return end === -1 ? bytes.length : end;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
