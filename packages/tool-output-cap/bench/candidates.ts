import { capText, formatMarker } from "../src/index.js";
import { PEERS, type Peer } from "./peers.js";
import type { TextCase } from "./text-cases.js";

/** The limit of every row, in UTF-8 bytes. */
export const MAX_BYTES = 16_384;

/** One way to bring a text within the limit. */
export interface Candidate {
  readonly name: string;
  /** Whose code it runs, where it is not ours alone. */
  readonly peer?: Peer["name"];
  /** What it has to return: ours is compared with the oracle by the laws, and everything else here with ours. */
  readonly expected: string;
  run(text: string): string;
}

/**
 * Everything that is measured on a text: the floor, which is the least that a cap of this kind must do (count the bytes, and
 * make one joined copy of what is kept); ours; each peer alone; and each peer with what a user must write around it to get
 * what `capText` gives, marker included.
 */
export function makeCandidates(textCase: TextCase): readonly Candidate[] {
  const text = textCase.make();
  const { text: head, truncation } = capText(text, { maxBytes: MAX_BYTES });
  const [tail, ends] = [capTail(text), capEnds(text)];
  const suffix = truncation === undefined ? "" : `\n\n${formatMarker(truncation.droppedBytes)}`;
  const kept = head.slice(0, head.length - suffix.length);
  const room = MAX_BYTES - suffix.length;
  return [
    { name: "floor", expected: head, run: truncation === undefined ? countOnly : makeFloor(kept.length, suffix) },
    { name: "head", expected: head, run: capHead },
    { name: "tail", expected: tail, run: capTail },
    { name: "ends", expected: ends, run: capEnds },
    ...PEERS.flatMap(({ name: peer, keepHead, keepTail }): readonly Candidate[] => [
      { name: aloneName(peer), peer, expected: kept, run: (text) => keepHead(text, room) },
      { name: capName(peer), peer, expected: head, run: (text) => capAround(keepHead, text, joinHead) },
      ...(keepTail === undefined
        ? []
        : [
            {
              name: tailName(peer),
              peer,
              expected: tail,
              run: (text: string) => capAround(keepTail, text, joinTail),
            },
          ]),
    ]),
  ];
}

export function aloneName(peer: Peer["name"]): string {
  return `${peer}, alone`;
}

export function capName(peer: Peer["name"]): string {
  return `${peer}, as a cap`;
}

export function tailName(peer: Peer["name"]): string {
  return `${peer}, as a cap of the tail`;
}

function capHead(text: string): string {
  return capText(text, { maxBytes: MAX_BYTES }).text;
}

function capTail(text: string): string {
  return capText(text, { maxBytes: MAX_BYTES, keep: "tail" }).text;
}

function capEnds(text: string): string {
  return capText(text, { maxBytes: MAX_BYTES, keep: "ends" }).text;
}

function makeFloor(keptUnits: number, suffix: string): (text: string) => string {
  return (text) => (Buffer.byteLength(text) > MAX_BYTES ? [text.slice(0, keptUnits), suffix].join("") : text);
}

/** Within the limit nothing is copied. */
function countOnly(text: string): string {
  return Buffer.byteLength(text) > MAX_BYTES ? "" : text;
}

/** A cap made with a peer: it must count all bytes for the marker, and cut again where the marker gains a digit. */
function capAround(
  keep: (text: string, maxBytes: number) => string,
  text: string,
  join: (kept: string, marker: string) => string,
): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  const bytes = Buffer.byteLength(wellFormed);
  if (bytes <= MAX_BYTES) return wellFormed;
  let marker = formatMarker(bytes - MAX_BYTES);
  for (;;) {
    const kept = keep(wellFormed, MAX_BYTES - marker.length - 2);
    const keptBytes = Buffer.byteLength(kept);
    marker = formatMarker(bytes - keptBytes);
    if (keptBytes + marker.length + 2 <= MAX_BYTES) return join(kept, marker);
  }
}

function joinHead(kept: string, marker: string): string {
  return [kept, "\n\n", marker].join("");
}

function joinTail(kept: string, marker: string): string {
  return [marker, "\n\n", kept].join("");
}
