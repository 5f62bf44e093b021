import { do_not_optimize, measure } from "mitata";
import { type Candidate, makeCandidates } from "./candidates.js";
import type { TextCase } from "./text-cases.js";
import { createFirstCalls } from "./time-calls.js";
import type { Timings } from "./timings.js";

/** Small batches, because each call of a concatenated text needs a text of its own. */
const OPTIONS = { min_cpu_time: 20_000_000, min_samples: 5, batch_samples: 128 };

/** All candidates on all texts, one after the other, as mitata measures: its median of each. */
export async function measureWithMitata(textCases: readonly TextCase[]): Promise<readonly Timings[]> {
  const callFirst = createFirstCalls();
  const all: Timings[] = [];
  for (const textCase of textCases) {
    const micros = new Map<string, readonly number[]>();
    for (const candidate of makeCandidates(textCase)) {
      const first = callFirst(candidate, textCase);
      if (first.verdict === "too slow") micros.set(candidate.name, [first.micros]);
      if (first.verdict === "measure") micros.set(candidate.name, [await measureCandidate(candidate, textCase)]);
    }
    all.push({ textCase, micros });
  }
  return all;
}

async function measureCandidate({ run }: Candidate, textCase: TextCase): Promise<number> {
  const computed = { 0: () => textCase.make(), bench: (text: string) => do_not_optimize(run(text)) };
  // mitata's types know of no computed parameter, its README and its code do.
  const generate = function* () {
    yield computed as never;
  };
  const { p50 } = await measure(generate, { ...OPTIONS });
  return p50 / 1_000;
}
