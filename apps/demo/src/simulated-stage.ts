import { createAnthropic } from "@ai-sdk/anthropic";
import { fromLanguageModel } from "@pod/llm-worker/ai-sdk";
import { type Answer, createFakeClock, type MessagesRequest, withProvider } from "@pod/test-harness";
import { answerAsTheModel, describeAnswer, TASK } from "./incident.js";
import { type Agent, describeRefusal, describeWait, type RunRecord } from "./run-record.js";
import type { Stage } from "./stage.js";

/** Input tokens a minute that the organisation of the incident had. */
const LIMIT_TOKENS_PER_MINUTE = 30_000;

/** How long the model takes for an answer, on the fake clock: meanwhile the account's budget refills. */
const ANSWER_SECONDS = 30;

/** What stands where the model would: it knows the conversation only from the request. */
export type ScriptedModel = (request: MessagesRequest) => Answer;

/** A model that is a script, and each run with a provider and a clock of its own. */
export function createSimulatedStage(
  task: string,
  answerRequest: ScriptedModel,
  countTokens?: (text: string) => number,
): Stage {
  return {
    task,
    facts: [
      `Real: the tools and what they read, the AI SDK's Anthropic client, HTTP, the worker. Scripted: the model (${ANSWER_SECONDS} s an answer).`,
      `Simulated: the provider's ${countTokens ? "" : "count of tokens (1.8 bytes each), its "}limit of 30,000 input tokens a minute, and the clock: no wait is real.`,
    ],
    limitTokensPerMinute: LIMIT_TOKENS_PER_MINUTE,
    record: (name, agent) => recordSimulatedRun(name, agent, answerRequest, countTokens),
  };
}

/** The incident as it was. */
export const simulatedStage: Stage = createSimulatedStage(TASK, answerAsTheModel);

/** Every request is recorded as the provider saw it. */
async function recordSimulatedRun<Name extends string>(
  name: Name,
  agent: Agent,
  answerRequest: ScriptedModel,
  countTokens: ((text: string) => number) | undefined,
): Promise<RunRecord<Name>> {
  const clock = createFakeClock();
  const answers: string[] = [];
  const script = (request: MessagesRequest) => {
    clock.advance(ANSWER_SECONDS * 1000);
    const reply = answerRequest(request);
    answers.push(describeAnswer(reply));
    return reply;
  };
  const account = { inputTokensPerMinute: LIMIT_TOKENS_PER_MINUTE, ...(countTokens && { countTokens }) };
  return withProvider({ script, clock, ...account }, async (provider) => {
    const model = createAnthropic({ baseURL: provider.url, apiKey: "not-a-key" })("claude-sonnet-4-5");
    const ending = await agent(fromLanguageModel(model), clock.sleep).catch(describeRefusal);
    const waits = clock.waits.values();
    const requests = provider.requests.map(({ bytes, inputTokens, status, at }, index) => {
      const next = provider.requests[index + 1];
      // Sent again at once, and smaller: a batch that was re-capped.
      const isSmallerAtOnce = next !== undefined && next.bytes < bytes && next.at === at;
      if (status !== 200 && isSmallerAtOnce)
        return { bytes, inputTokens, status, answer: `${status}, sent again smaller` };
      const became = status === 200 ? { answer: answers.shift() ?? "" } : describeWait(status, waits.next().value);
      return { bytes, inputTokens, status, ...became };
    });
    return { name, ...ending, requests };
  });
}
