import { createTokenBucket, type TakeOutcome, type TokenBucket } from "./token-bucket.js";

export interface RateLimitOptions {
  readonly inputTokensPerMinute: number;
  readonly requestsPerMinute: number;
  readonly now: () => number;
}

export interface RateLimitOutcome {
  /** Why the request is refused, worded as the real provider words it. */
  readonly refusal?: string;
  readonly retryAfterSeconds: number;
  /** The headers that the provider sends with every answer, refused or not. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Meters an account by requests and by input tokens. */
export function createRateLimit(options: RateLimitOptions): (inputTokens: number) => RateLimitOutcome {
  const requests = createTokenBucket(options.requestsPerMinute, options.now);
  const inputTokens = createTokenBucket(options.inputTokensPerMinute, options.now);
  return (wantedTokens) => {
    const ofRequests = requests.take(1);
    const ofTokens = inputTokens.take(ofRequests.granted ? wantedTokens : 0);
    const headers = {
      ...limitHeaders("requests", requests, ofRequests),
      ...limitHeaders("input-tokens", inputTokens, ofTokens),
    };
    if (!ofRequests.granted) {
      return { refusal: refusal(requests, "requests"), retryAfterSeconds: ofRequests.retryAfterSeconds, headers };
    }
    if (!ofTokens.granted) {
      return { refusal: refusal(inputTokens, "input tokens"), retryAfterSeconds: ofTokens.retryAfterSeconds, headers };
    }
    return { retryAfterSeconds: 0, headers };
  };
}

function refusal({ tokensPerMinute }: TokenBucket, unit: string): string {
  return `This request would exceed your organization's rate limit of ${tokensPerMinute.toLocaleString("en-US")} ${unit} per minute.`;
}

function limitHeaders(unit: string, bucket: TokenBucket, outcome: TakeOutcome): Record<string, string> {
  return {
    [`anthropic-ratelimit-${unit}-limit`]: String(bucket.tokensPerMinute),
    [`anthropic-ratelimit-${unit}-remaining`]: String(outcome.remaining),
    [`anthropic-ratelimit-${unit}-reset`]: new Date(outcome.resetAtMs).toISOString().replace(/\.\d+Z$/, "Z"),
  };
}
