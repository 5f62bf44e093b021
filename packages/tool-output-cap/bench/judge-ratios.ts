import { aloneName, capName, MAX_BYTES } from "./candidates.js";
import { PEERS } from "./peers.js";
import { ratioOf, type Timings } from "./timings.js";

/** One ratio that the gate holds to its bound. */
export interface Verdict {
  readonly what: string;
  readonly ratio: number;
  readonly bound: string;
  readonly holds: boolean;
}

// DESIGN section 10, for Node 20: at most so many times the floor.
const FLOOR_RATIOS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "1 KB": { ASCII: 1.5, "Latin-1": 1.5, Japanese: 1.5, emoji: 1.5, "one emoji": 1.5 },
  "125 KB": { ASCII: 2, "Latin-1": 5, Japanese: 1.8, emoji: 1.8, "one emoji": 1.8 },
  "10 MB": { ASCII: 1.5, "Latin-1": 1.5, Japanese: 1.5, emoji: 1.5, "one emoji": 1.5 },
};
const MOST_TIMES_HEAD = 2;

/** Every bound on one text: to the floor, of tail and ends to the head, and to the peers. */
export function judgeRatios(timings: Timings): readonly Verdict[] {
  const { kind, size, form, bytes } = timings.textCase;
  const name = `${kind}, ${size}, ${form}`;
  const verdicts: Verdict[] = [];
  const atMost = (what: string, ratio: number, bound: number) =>
    verdicts.push({ what: `${name}: ${what}`, ratio, bound: `at most ${bound}`, holds: ratio <= bound });

  const toFloor = FLOOR_RATIOS[size]?.[kind];
  if (toFloor !== undefined) atMost("head to floor", ratioOf(timings, "head", "floor"), toFloor);
  if (bytes <= MAX_BYTES) return verdicts;
  atMost("tail to head", ratioOf(timings, "tail", "head"), MOST_TIMES_HEAD);
  atMost("ends to head", ratioOf(timings, "ends", "head"), MOST_TIMES_HEAD);

  // At 10 MB and more a peer made into a cap and ours are the same count, so that their ratio says nothing.
  if (size !== "16,385 B" && size !== "125 KB") return verdicts;
  for (const peer of PEERS) {
    const names = [capName(peer.name)];
    // Section 10 promises this of the peer alone too, which neither counts nor marks. Of a concatenated text it says nothing:
    // what both pay to flatten it is up to 95 % of either.
    if (size === "125 KB" && form === "flat" && peer.name === "truncate-utf8-bytes") names.push(aloneName(peer.name));
    for (const candidate of names) {
      if (!timings.micros.has(candidate)) continue;
      const ratio = ratioOf(timings, candidate, "head");
      verdicts.push({ what: `${name}: ${candidate}, to head`, ratio, bound: "at least 1", holds: ratio >= 1 });
    }
  }
  return verdicts;
}
