import { describe, expect, it } from "vitest";
import { LlmError, type LlmErrorDetails } from "../src/llm-client.js";
import { readSizeRefusal, type SizeRefusal } from "../src/read-size-refusal.js";

/** As a hand-made client throws it. */
const refusalOf = (details: Partial<LlmErrorDetails>) =>
  readSizeRefusal(new LlmError("refused", { kind: "status", ...details }));

const FIGURES = { inputTokenLimit: 30_000, requestedTokens: 30_001 };
const MAY_PASS = { inputTokenLimit: 30_000, requestedTokens: 30_000 };

describe("readSizeRefusal", () => {
  // Mutants seen to fail: `>=` for `>`; OpenAI's code of a 429 taken for "too large"; 5xx let through.
  it.each<[string, Partial<LlmErrorDetails>, SizeRefusal | undefined]>([
    ["a 413", { status: 413 }, { type: "too-large" }],
    ["a 413 with a limit", { status: 413, inputTokenLimit: 9 }, { type: "too-large", inputTokenLimit: 9 }],
    ["a 413 whose figures would pass", { status: 413, ...MAY_PASS }, { type: "too-large", ...MAY_PASS }],
    ["Anthropic's code", { status: 400, code: "request_too_large" }, { type: "too-large" }],
    ["OpenAI's code", { status: 400, code: "context_length_exceeded" }, { type: "too-large" }],
    ["OpenAI's code without a status", { code: "context_length_exceeded" }, { type: "too-large" }],
    ["figures beyond the limit, 400", { status: 400, ...FIGURES }, { type: "too-large", ...FIGURES }],
    ["figures beyond the limit, 429", { status: 429, ...FIGURES }, { type: "too-large", ...FIGURES }],
    ["figures beyond the limit, 529", { status: 529, ...FIGURES }, undefined],
    ["figures within the limit, 429", { status: 429, code: "rate_limit_exceeded", ...MAY_PASS }, undefined],
    ["figures within the limit, 400", { status: 400, ...MAY_PASS }, undefined],
    ["a limit alone, 429", { status: 429, inputTokenLimit: 9 }, { type: "limited", inputTokenLimit: 9 }],
    ["a limit alone, 400", { status: 400, code: "invalid_request_error", inputTokenLimit: 9 }, undefined],
    ["a limit alone, 529", { status: 529, inputTokenLimit: 9 }, undefined],
    ["a 429 without a limit", { status: 429, code: "rate_limit_error", requestedTokens: 9 }, undefined],
    ["a 400", { status: 400, code: "invalid_request_error" }, undefined],
    ["a network failure", { kind: "network", code: "request_too_large", ...FIGURES }, undefined],
    ["limits that are none", { status: 429, inputTokenLimit: Number.NaN, requestedTokens: 5 }, undefined],
    ["a limit of 0", { status: 429, inputTokenLimit: 0, requestedTokens: 5 }, undefined],
    [
      "what is asked for is no number",
      { status: 429, inputTokenLimit: 9, requestedTokens: Number.POSITIVE_INFINITY },
      { type: "limited", inputTokenLimit: 9 },
    ],
  ])("W12: decides by status, code and figures: %s", (_what, details, refusal) => {
    expect(refusalOf(details)).toEqual(refusal);
  });

  it("W12: words decide nothing, nor does what is no LlmError", () => {
    expect(readSizeRefusal(new LlmError("prompt is too long", { kind: "status", status: 400 }))).toBeUndefined();
    for (const error of [undefined, "413", { status: 413, kind: "status" }, new Error("request_too_large")]) {
      expect(readSizeRefusal(error)).toBeUndefined();
    }
  });
});
