import type { TextCase } from "./text-cases.js";

/** What the candidates of one text took: by name, each a call's time in microseconds, round by round. */
export interface Timings {
  readonly textCase: TextCase;
  /** A candidate that is very slow has fewer rounds than the others, or is not there. */
  readonly micros: ReadonlyMap<string, readonly number[]>;
}

/** The median of a candidate, in microseconds a call. */
export function microsOf(timings: Timings, name: string): number {
  return median(timings.micros.get(name) ?? []);
}

/** The ratio of two candidates: the median of the ratios of each round, or of the medians where one was run less often. */
export function ratioOf(timings: Timings, name: string, base: string): number {
  const [values, bases] = [timings.micros.get(name) ?? [], timings.micros.get(base) ?? []];
  if (values.length !== bases.length) return median(values) / median(bases);
  return median(values.map((micros, round) => micros / (bases[round] ?? Number.NaN)));
}

/** The middle value; of an even number of values the upper one of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
