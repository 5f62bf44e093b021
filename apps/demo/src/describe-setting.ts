import { ANSWER_SECONDS, LIMIT_TOKENS_PER_MINUTE } from "./record-simulated-run.js";
import { formatCount } from "./request-cells.js";

/** What is real in a replay and what is not, for people. */
export function describeSetting(): readonly string[] {
  return [
    `Real: the tools and their files, the AI SDK's Anthropic client, HTTP, the worker. Scripted: the model (${ANSWER_SECONDS} s an answer).`,
    `Simulated: the provider's count of tokens (1.8 bytes each), its limit of ${formatCount(LIMIT_TOKENS_PER_MINUTE)} input tokens a minute, and the clock: no wait is real.`,
  ];
}
