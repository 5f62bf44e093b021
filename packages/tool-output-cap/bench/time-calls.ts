import { performance } from "node:perf_hooks";
import type { Candidate } from "./candidates.js";
import type { TextCase } from "./text-cases.js";

/** A peer whose one call takes longer, in microseconds, is run once, and not again on the same text in another guise. */
const TOO_SLOW_MICROS = 60_000;

// A sum that is looked at, so that no call can be left out.
let checksum = 0;

/** Microseconds a call. The texts are made before the clock is read. */
export function timeCalls({ run }: Candidate, textCase: TextCase, calls: number): number {
  const texts = Array.from({ length: calls }, () => textCase.make());
  const start = performance.now();
  for (const text of texts) checksum += run(text).length;
  const micros = ((performance.now() - start) * 1_000) / calls;
  if (!Number.isSafeInteger(checksum)) throw new RangeError(`the benchmark's checksum is ${checksum}`);
  return micros;
}

/** What the first call of a candidate says: not at all to be run, too slow for more, or worth measuring. */
export interface FirstCall {
  readonly verdict: "left out" | "too slow" | "measure";
  readonly micros: number;
}

/**
 * Runs every candidate once before any is measured. The result is compared first: the time of a wrong one says nothing.
 *
 * @throws Error where a result is not what `capText` gives.
 */
export function createFirstCalls(): (candidate: Candidate, textCase: TextCase) => FirstCall {
  const tooSlow = new Set<string>();
  return (candidate, textCase) => {
    const key = `${candidate.peer} ${textCase.kind} ${textCase.size}`;
    if (tooSlow.has(key)) return { verdict: "left out", micros: Number.NaN };
    const micros = timeFirstCall(candidate, textCase);
    if (candidate.peer === undefined || micros <= TOO_SLOW_MICROS) return { verdict: "measure", micros };
    tooSlow.add(key);
    return { verdict: "too slow", micros };
  };
}

function timeFirstCall(candidate: Candidate, textCase: TextCase): number {
  let result = "";
  const run = (text: string) => {
    result = candidate.run(text);
    return result;
  };
  const micros = timeCalls({ ...candidate, run }, textCase, 1);
  if (result === candidate.expected) return micros;
  const { kind, size, form } = textCase;
  throw new Error(
    `${candidate.name}: expected of ${kind}, ${size}, ${form} the ${candidate.expected.length} units that capText gives, ` +
      `received ${result.length} that differ. Compare the two before measuring`,
  );
}
