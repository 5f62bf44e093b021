import { describe, expect, it } from "vitest";
import { countInputTokens } from "../src/count-input-tokens.js";
import { createFakeClock } from "../src/fake-clock.js";
import type { Provider } from "../src/provider.js";
import { answer, text } from "../src/scripted-model.js";
import { createTokenBucket } from "../src/token-bucket.js";
import { withProvider } from "../src/with-provider.js";
import { realModel, userSays } from "./real-client.js";

const START = Date.UTC(2025, 0, 1);
const script = () => answer(text("hi"));

describe("token bucket", () => {
  it("T1: refills continuously, up to one minute's worth", () => {
    const clock = createFakeClock();
    const bucket = createTokenBucket(30_000, clock.now);
    expect(bucket.take(30_000)).toMatchObject({ granted: true, remaining: 0, retryAfterSeconds: 0 });
    clock.advance(1000);
    // Mutant seen to fail: a refill of the whole bucket once a minute leaves 0 here.
    expect(bucket.take(501)).toMatchObject({ granted: false, remaining: 500 });
    expect(bucket.take(500).granted).toBe(true);
    clock.advance(600_000);
    expect(bucket.take(0).remaining).toBe(30_000);
  });

  // Mutant seen to fail: Math.floor in place of Math.ceil.
  it.each([7, 11, 13, 29_989, 30_000, 1_000_003])(
    "T1: after retry-after, and not a second sooner, it grants (%i a minute)",
    (limit) => {
      for (const wanted of [1, Math.ceil(limit / 3), Math.ceil(limit / 2), limit]) {
        const clock = createFakeClock();
        const bucket = createTokenBucket(limit, clock.now);
        bucket.take(limit);
        const { retryAfterSeconds } = bucket.take(wanted);
        clock.advance((retryAfterSeconds - 1) * 1000);
        expect(bucket.take(wanted).granted).toBe(false);
        clock.advance(1000);
        expect(bucket.take(wanted).granted).toBe(true);
      }
    },
  );

  it("T1: what exceeds the whole limit is never granted, and is told to wait until the bucket is full, at least a second", () => {
    const clock = createFakeClock();
    const bucket = createTokenBucket(30_000, clock.now);
    expect(bucket.take(30_001)).toMatchObject({ granted: false, remaining: 30_000, retryAfterSeconds: 1 });
    bucket.take(15_000);
    expect(bucket.take(30_001).retryAfterSeconds).toBe(30);
    clock.advance(3_600_000);
    expect(bucket.take(30_001).granted).toBe(false);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "T1: a limit of %d is a RangeError that names it",
    (limit) => {
      expect(() => createTokenBucket(limit, () => 0)).toThrow(RangeError);
      expect(() => createTokenBucket(limit, () => 0)).toThrow(`received ${limit}`);
    },
  );
});

describe("count of input tokens", () => {
  it("T1: is the UTF-8 bytes of string values and of tool schemas, divided by 1.8, rounded up", () => {
    expect(countInputTokens({ system: "a".repeat(18), max_tokens: 4096 })).toBe(10);
    expect(countInputTokens({ messages: [{ content: [{ text: "é".repeat(9) }, { text: "b" }] }] })).toBe(11);
    const input_schema = { type: "object", properties: {} };
    const bytes = JSON.stringify(input_schema).length + "Glob".length;
    expect(countInputTokens({ tools: [{ name: "Glob", input_schema }] })).toBe(Math.ceil(bytes / 1.8));
  });
});

describe("429 as the real client sees it", () => {
  async function refusal(provider: Provider, words: string) {
    const error: unknown = await realModel(provider)
      .doStream({ prompt: userSays(words) })
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    return error as
      | { statusCode: number; message: string; responseHeaders: Record<string, string>; data: unknown }
      | undefined;
  }

  it("T1: has retry-after and the rate-limit headers, and is granted after the wait", async () => {
    const clock = createFakeClock(START);
    await withProvider({ script, clock, inputTokensPerMinute: 600 }, async (provider) => {
      expect(await refusal(provider, "a".repeat(900))).toBeUndefined();
      const refused = await refusal(provider, "a".repeat(900));
      expect(refused?.statusCode).toBe(429);
      expect(refused?.data).toMatchObject({ type: "error", error: { type: "rate_limit_error" } });
      const headers = refused?.responseHeaders ?? {};
      expect(headers["anthropic-ratelimit-input-tokens-limit"]).toBe("600");
      expect(Number(headers["anthropic-ratelimit-input-tokens-remaining"])).toBeLessThan(100);
      expect(headers["anthropic-ratelimit-input-tokens-reset"]).toMatch(/^2025-01-01T00:00:5\dZ$/);
      expect(headers["anthropic-ratelimit-requests-limit"]).toBe("1000");
      const seconds = Number(headers["retry-after"]);
      expect(Number.isInteger(seconds)).toBe(true);
      clock.advance(seconds * 1000);
      expect(await refusal(provider, "a".repeat(900))).toBeUndefined();
      expect(provider.requests.map(({ status }) => status)).toEqual([200, 429, 200]);
    });
  });

  it("T1: an account that does not state its limit sends retry-after and no rate-limit header", () =>
    withProvider({ script, inputTokensPerMinute: 600, statesLimit: false }, async (provider) => {
      const refused = await refusal(provider, "a".repeat(2000));
      expect(refused?.statusCode).toBe(429);
      expect(Object.keys(refused?.responseHeaders ?? {}).filter((name) => name.includes("ratelimit"))).toEqual([]);
      expect(refused?.responseHeaders["retry-after"]).toBe("1");
    }));

  it("T1: too many requests are refused too, and cost no tokens", () =>
    withProvider({ script, inputTokensPerMinute: 30_000, requestsPerMinute: 1 }, async (provider) => {
      await refusal(provider, "a");
      const refused = await refusal(provider, "a".repeat(9000));
      expect(refused?.message).toContain("1 requests per minute");
      expect(refused?.responseHeaders["retry-after"]).toBe("60");
      expect(Number(refused?.responseHeaders["anthropic-ratelimit-input-tokens-remaining"])).toBeGreaterThan(29_000);
    }));
});
