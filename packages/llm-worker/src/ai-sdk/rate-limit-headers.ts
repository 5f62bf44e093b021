import type { LlmErrorDetails } from "../llm-client.js";

/** The provider's whole limit in input tokens a minute. The first that is stated counts; the last two count output too. */
const LIMIT_HEADERS = [
  "anthropic-ratelimit-input-tokens-limit",
  "x-ratelimit-limit-tokens",
  "anthropic-ratelimit-tokens-limit",
];

const COUNT = /^[1-9]\d*$/;
const NUMBER = /^\d+(\.\d+)?$/;
const HTTP_DATE = /^[A-Z][a-z]{2,8}, .+ GMT$/;

/** What the headers of a refusal say of waiting and of limits. A value that makes no sense is as good as none. */
export function readRateLimitHeaders(
  headers: Readonly<Record<string, unknown>>,
): Pick<LlmErrorDetails, "retryAfterMs" | "inputTokenLimit"> {
  const texts = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value).trim()]));
  const retryAfterMs = readRetryAfterMs(texts);
  const inputTokenLimit = LIMIT_HEADERS.map((name) => readNumber(texts.get(name), COUNT)).find(
    (limit) => limit !== undefined,
  );
  return {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(inputTokenLimit === undefined ? {} : { inputTokenLimit }),
  };
}

function readRetryAfterMs(headers: ReadonlyMap<string, string>): number | undefined {
  const stated = readNumber(headers.get("retry-after-ms"));
  if (stated !== undefined) return Math.ceil(stated);
  const seconds = readNumber(headers.get("retry-after"));
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const until = readDate(headers.get("retry-after"));
  // Both dates are the provider's: its clock need not agree with ours.
  const now = readDate(headers.get("date")) ?? Date.now();
  return until === undefined ? undefined : Math.max(0, until - now);
}

function readNumber(text = "", form = NUMBER): number | undefined {
  const number = form.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function readDate(text = ""): number | undefined {
  const ms = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(ms) ? ms : undefined;
}
