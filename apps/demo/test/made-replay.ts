import type { Replay } from "../src/replay.js";
import type { RequestRecord, RunRecord } from "../src/run-record.js";

/** A request that was answered, but for what `change` says. */
export function madeRequest(change: Partial<RequestRecord> = {}): RequestRecord {
  return { bytes: 1412, inputTokens: 598, status: 200, answer: "Glob *", ...change };
}

export const REFUSED: RequestRecord = madeRequest({
  bytes: 111_058,
  inputTokens: 60_865,
  status: 429,
  answer: "429, waits 15 s",
  waitMs: 15_000,
});

/** A replay that went as the incident did, but for what is handed over. */
export function madeReplay(
  change: { uncapped?: Partial<RunRecord>; capped?: Partial<RunRecord>; limitTokensPerMinute?: number | null } = {},
): Replay {
  const { uncapped, capped, limitTokensPerMinute = 30_000 } = change;
  return {
    limitTokensPerMinute,
    warnings: [],
    runs: [
      {
        name: "uncapped",
        outcome: "rate-limited",
        detail: "429",
        requests: [madeRequest(), REFUSED, madeRequest({ ...REFUSED, answer: "429, gives up" })],
        ...uncapped,
      },
      {
        name: "capped",
        outcome: "finished",
        detail: "It is capped.",
        requests: [
          madeRequest(),
          madeRequest({ inputTokens: 9762 }),
          madeRequest({ inputTokens: 14_777, answer: "done" }),
        ],
        ...capped,
      },
    ],
  };
}
