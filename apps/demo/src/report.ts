import type { RunRecord } from "./run-record.js";

/** What `--json` prints: fields may be added, none is renamed. */
export interface Report {
  /** null: the account states none. */
  readonly limitTokensPerMinute: number | null;
  readonly runs: readonly {
    readonly name: string;
    readonly outcome: string;
    readonly requests: readonly {
      readonly bytes: number;
      readonly inputTokens: number;
      readonly isEstimate?: true;
      readonly status: number;
    }[];
  }[];
}

/** The numbers of a replay, for machines. */
export function reportOf({
  limitTokensPerMinute,
  runs,
}: {
  readonly limitTokensPerMinute: number | null;
  readonly runs: readonly RunRecord<string>[];
}): Report {
  return {
    limitTokensPerMinute,
    runs: runs.map(({ name, outcome, requests }) => ({
      name,
      outcome,
      requests: requests.map(({ bytes, inputTokens, isEstimate, status }) => ({
        bytes,
        inputTokens,
        ...(isEstimate && { isEstimate }),
        status,
      })),
    })),
  };
}

/** What the incident must show and this report does not, as claims; empty where it shows everything. */
export function findUnshown({ limitTokensPerMinute, runs }: Report): string[] {
  const [uncapped, capped] = runs;
  const limit = limitTokensPerMinute ?? Number.POSITIVE_INFINITY;
  const claims: readonly [claim: string, isShown: boolean | undefined][] = [
    ["the uncapped run ends in 429", uncapped?.requests.at(-1)?.status === 429 && uncapped.outcome === "rate-limited"],
    ["its last request alone exceeds the limit", (uncapped?.requests.at(-1)?.inputTokens ?? 0) > limit],
    ["the capped run finishes", capped?.outcome === "finished"],
    ["it takes three requests or more", (capped?.requests.length ?? 0) >= 3],
    ["each of them is under the limit", capped?.requests.every(({ inputTokens }) => inputTokens < limit)],
    ["none of them is refused", capped?.requests.every(({ status }) => status === 200)],
  ];
  return claims.filter(([, isShown]) => isShown !== true).map(([claim]) => claim);
}
