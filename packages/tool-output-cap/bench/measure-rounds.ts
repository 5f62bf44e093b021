import { type Candidate, makeCandidates } from "./candidates.js";
import type { TextCase } from "./text-cases.js";
import { createFirstCalls, timeCalls } from "./time-calls.js";
import { median, type Timings } from "./timings.js";

// A batch is long against the clock's grain and short against the machine's moods.
const BATCH_MICROS = 500;
const MAX_CALLS = 2_000;
/** A peer whose one call takes longer is run in three rounds only. */
const SLOW_MICROS = 15_000;

interface Runner {
  readonly candidate: Candidate;
  readonly calls: number;
  readonly maxRounds: number;
  readonly micros: number[];
}

/**
 * All candidates on all texts, alternating in this one process: in every round the texts come in random order, and on each
 * text its candidates in random order, so that a slow moment of the machine, a collection of garbage and what the engine
 * has learnt fall on all of them.
 */
export function measureRounds(textCases: readonly TextCase[], rounds: number): readonly Timings[] {
  const prepared = prepare(textCases, rounds);
  for (let round = 0; round < rounds; round++) {
    for (const { textCase, runners } of shuffle(prepared)) {
      for (const { candidate, calls, maxRounds, micros } of shuffle(runners)) {
        if (micros.length < maxRounds) micros.push(timeCalls(candidate, textCase, calls));
      }
    }
  }
  return prepared.map(({ textCase, runners }) => ({
    textCase,
    micros: new Map(runners.map(({ candidate, micros }) => [candidate.name, micros])),
  }));
}

function prepare(textCases: readonly TextCase[], rounds: number) {
  const cases = textCases.map((textCase) => ({ textCase, candidates: makeCandidates(textCase) }));
  const callFirst = createFirstCalls();
  const firstCalls = cases.map(({ textCase, candidates }) =>
    candidates.map((candidate) => ({ candidate, textCase, ...callFirst(candidate, textCase) })),
  );
  // Small texts are called until the engine has made up its mind about the code, and only then the calls are counted out.
  for (const { candidate, textCase, verdict, micros } of firstCalls.flat()) {
    if (textCase.bytes < 20_000 && verdict === "measure" && micros < SLOW_MICROS) timeCalls(candidate, textCase, 1_000);
  }
  return cases.map(({ textCase }, index) => ({
    textCase,
    runners: (firstCalls[index] ?? []).flatMap(({ candidate, verdict, micros }): readonly Runner[] => {
      if (verdict === "left out") return [];
      if (verdict === "too slow") return [{ candidate, calls: 1, maxRounds: 1, micros: [micros] }];
      const isSlow = candidate.peer !== undefined && micros > SLOW_MICROS;
      const guess = median([1, 2, 3].map(() => timeCalls(candidate, textCase, 3)));
      const calls = Math.min(MAX_CALLS, Math.max(1, Math.round(BATCH_MICROS / guess)));
      return [{ candidate, calls, maxRounds: isSlow ? Math.min(rounds, 3) : rounds, micros: [] }];
    }),
  }));
}

function shuffle<T>(values: readonly T[]): readonly T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ value }) => value);
}
