import type { Replay } from "../replay.js";
import { formatCount, formatShare, formatTokens } from "../request-cells.js";
import type { RequestRecord, RunRecord } from "../run-record.js";

export const RUN_TITLES = { uncapped: "Without the cap", capped: "With the cap" } as const;

const ENDINGS: Readonly<Record<string, string>> = {
  finished: "finished",
  "rate-limited": "refused with 429 until it gave up",
  "request-too-large": "ended at a request that is too large to send",
  refused: "refused by the provider",
  "no-answer": "got no whole answer",
  "max-turns": "ended by its limit of turns",
};

/** What happened, in one line. */
export function formatHeadline({ runs }: Replay): string {
  const [uncapped, capped] = runs;
  if (uncapped.outcome === "rate-limited" && capped.outcome === "finished") {
    return "One large tool result ended the agent. Capped, it finished.";
  }
  if (uncapped.outcome === "finished" && capped.outcome === "finished") {
    return "Without the cap and with it, the agent finished.";
  }
  return `${RUN_TITLES.uncapped}: ${endingOf(uncapped)}. ${RUN_TITLES.capped}: ${endingOf(capped)}.`;
}

/** How a run went, in a sentence or two. */
export function tellRun({ outcome, requests }: RunRecord, limitTokensPerMinute: number | null): string {
  const largest = findLargest(requests);
  if (largest === undefined) return "It sent no request.";
  const refused = requests.filter(({ status }) => status !== 200).length;
  const ofLimit =
    limitTokensPerMinute === null ? "" : `, ${formatShare(largest.inputTokens, limitTokensPerMinute)} of the limit`;
  const largestText = `The largest had ${formatTokens(largest)} input tokens${ofLimit}`;
  return `${capitalize(ENDINGS[outcome] ?? outcome)}: ${count(requests.length, "request")}, ${refused === 0 ? "none" : refused} refused. ${largestText}.`;
}

/** The plot for those who do not see it. */
export function describePlot({ runs, limitTokensPerMinute }: Replay): string {
  const limit =
    limitTokensPerMinute === null
      ? "The account states no limit."
      : `The limit is ${formatCount(limitTokensPerMinute)} input tokens a minute.`;
  const told = runs.map(({ name, requests }) => {
    const figures = requests.map((request) => `${formatTokens(request)} (${request.answer})`);
    return `${RUN_TITLES[name]}: ${figures.join(", ")}.`;
  });
  return [limit, ...told].join(" ");
}

function endingOf({ outcome }: RunRecord): string {
  return ENDINGS[outcome] ?? outcome;
}

function findLargest(requests: readonly RequestRecord[]): RequestRecord | undefined {
  return requests.reduce<RequestRecord | undefined>(
    (largest, request) => (largest === undefined || request.inputTokens > largest.inputTokens ? request : largest),
    undefined,
  );
}

function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
