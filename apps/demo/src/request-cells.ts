import type { RequestRecord } from "./run-record.js";

/** The heads of the columns of {@link cellsOf}. */
export const REQUEST_HEADS = ["bytes", "tokens", "of limit", "answer"] as const;

/** One request for people: the same words in the terminal and in the page. */
export function cellsOf(request: RequestRecord, limitTokensPerMinute: number | null): readonly string[] {
  return [
    formatCount(request.bytes),
    formatTokens(request),
    formatShare(request.inputTokens, limitTokensPerMinute),
    request.answer,
  ];
}

export function formatTokens({ inputTokens, isEstimate }: Pick<RequestRecord, "inputTokens" | "isEstimate">): string {
  return `${isEstimate ? "~" : ""}${formatCount(inputTokens)}`;
}

/** Of the account's limit; a dash where it states none. */
export function formatShare(inputTokens: number, limitTokensPerMinute: number | null): string {
  return limitTokensPerMinute === null ? "–" : `${Math.round((inputTokens / limitTokensPerMinute) * 100)} %`;
}

export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
