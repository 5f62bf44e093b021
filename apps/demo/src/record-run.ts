import { createAnthropic } from "@ai-sdk/anthropic";
import { type LlmClient, LlmError, RequestTooLargeError } from "@pod/llm-worker";
import { fromLanguageModel } from "@pod/llm-worker/ai-sdk";
import { createFakeClock, type FakeClock, withProvider } from "@pod/test-harness";
import { answerAsTheModel, describeAnswer } from "./incident.js";

export interface RunRecord {
  readonly name: "uncapped" | "capped";
  /** `finished`, or why not: `rate-limited`, `request-too-large`, `refused`, or what a worker's run may end in. */
  readonly outcome: string;
  /** One or more lines for people. */
  readonly detail: string;
  readonly requests: readonly RequestRecord[];
}

export interface RequestRecord {
  /** UTF-8 bytes of the body. */
  readonly bytes: number;
  readonly inputTokens: number;
  /** HTTP status. */
  readonly status: number;
  /** What the model did, or what became of the request. */
  readonly answer: string;
}

export interface RunOptions {
  readonly limitTokensPerMinute: number;
  /** Runs the agent to its end. */
  readonly run: (client: LlmClient, clock: FakeClock) => Promise<Pick<RunRecord, "outcome" | "detail">>;
}

/** How long the model takes for an answer, on the fake clock: meanwhile the account's budget refills. */
export const ANSWER_SECONDS = 30;

/** Runs an agent against a provider and a clock of its own, and records every request as the provider saw it. */
export async function recordRun(
  name: RunRecord["name"],
  { limitTokensPerMinute, run }: RunOptions,
): Promise<RunRecord> {
  const clock = createFakeClock();
  const answers: string[] = [];
  const script = (request: Parameters<typeof answerAsTheModel>[0]) => {
    clock.advance(ANSWER_SECONDS * 1000);
    const reply = answerAsTheModel(request);
    answers.push(describeAnswer(reply));
    return reply;
  };
  return withProvider({ script, clock, inputTokensPerMinute: limitTokensPerMinute }, async (provider) => {
    const model = createAnthropic({ baseURL: provider.url, apiKey: "not-a-key" })("claude-sonnet-4-5");
    const ending = await run(fromLanguageModel(model), clock).catch(describeRefusal);
    const waits = clock.waits.values();
    const requests = provider.requests.map(({ bytes, inputTokens, status }) => {
      const said = status === 200 ? answers.shift() : describeWait(status, waits.next().value);
      return { bytes, inputTokens, status, answer: said ?? "" };
    });
    return { name, ...ending, requests };
  });
}

function describeWait(status: number, waitMs: number | undefined): string {
  return waitMs === undefined ? `${status}, gives up` : `${status}, waits ${Math.ceil(waitMs / 1000)} s`;
}

/** A refusal is an ending to tell of; any other failure is the demo's own and stays one. */
function describeRefusal(error: unknown): Pick<RunRecord, "outcome" | "detail"> {
  if (error instanceof RequestTooLargeError) return { outcome: "request-too-large", detail: error.message };
  if (error instanceof LlmError && error.kind === "status") {
    return { outcome: error.status === 429 ? "rate-limited" : "refused", detail: `${error.status}: ${error.message}` };
  }
  throw error;
}
