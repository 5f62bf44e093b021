import { setTimeout } from "node:timers/promises";
import { createAnthropic } from "@ai-sdk/anthropic";
import { type LlmClient, LlmError, type ToolCall, type Usage } from "@pod/llm-worker";
import { fromLanguageModel } from "@pod/llm-worker/ai-sdk";
import { countInputTokens } from "@pod/test-harness";
import { describeCalls, TASK } from "./incident.js";
import { describeRefusal, describeWait, type Ending, type RequestRecord } from "./run-record.js";
import type { Stage } from "./stage.js";

export interface LiveOptions {
  /** Goes into the request's header, and nowhere else. */
  readonly apiKey: string;
  readonly modelId: string;
  /** Without it `ANTHROPIC_BASE_URL`, which the AI SDK reads, else the provider's own. */
  readonly baseUrl?: string;
  /** Waits in fact by default. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/** A request as it is sent, and what is learnt of it afterwards. */
interface SentRequest {
  readonly bytes: number;
  readonly estimatedTokens: number;
  status: number;
  inputTokens?: number;
  calls?: readonly ToolCall[];
  waitMs?: number;
}

/** A budget by the minute is full again after a minute: a longer wait gains nothing. */
const MAX_WAIT_MS = 60_000;
const LIMIT_HEADER = "anthropic-ratelimit-input-tokens-limit";
const MAX_DETAIL_CHARACTERS = 300;

/** A real model behind a real account. The first look is asked for, so that both runs begin as the incident did. */
export function createLiveStage({ apiKey, modelId, baseUrl, sleep = sleepInFact }: LiveOptions): Stage {
  let limitTokensPerMinute: number | null = null;
  return {
    task: `Call Glob with the pattern "*" first, to see what is here. ${TASK}`,
    facts: [
      `Real: all of it, the model ${modelId} and its provider, the account's limit, and the waits (${MAX_WAIT_MS / 1000} s at most each).`,
      "Tokens are those that the provider reports. It reports none for a request that it refuses: these (~) are an estimate, at 1.8 bytes each.",
    ],
    get limitTokensPerMinute() {
      return limitTokensPerMinute;
    },
    async record(name, agent) {
      const sent: SentRequest[] = [];
      const recordingFetch: typeof fetch = async (input, init) => {
        sent.push(measure(String(init?.body)));
        const response = await fetch(input, init);
        limitTokensPerMinute = readLimit(response.headers) ?? limitTokensPerMinute;
        return response;
      };
      const settings = { apiKey, fetch: recordingFetch, ...(baseUrl !== undefined && { baseURL: baseUrl }) };
      const client = recordAnswers(fromLanguageModel(createAnthropic(settings)(modelId)), sent);
      const ending = await agent(client, async (ms, signal) => {
        const waitMs = Math.min(ms, MAX_WAIT_MS);
        const last = sent.at(-1);
        if (last !== undefined) last.waitMs = waitMs;
        await sleep(waitMs, signal);
      }).catch(describeFailure);
      const detail = toOneLine(ending.detail).slice(0, MAX_DETAIL_CHARACTERS);
      return { name, outcome: ending.outcome, detail, requests: sent.map(toRecord) };
    },
  };
}

function measure(body: string): SentRequest {
  return { bytes: Buffer.byteLength(body), estimatedTokens: countInputTokens(JSON.parse(body)), status: 0 };
}

/** The client makes one request for each stream. */
function recordAnswers(client: LlmClient, sent: readonly SentRequest[]): LlmClient {
  return {
    async *stream(request, options) {
      const calls: ToolCall[] = [];
      try {
        for await (const part of client.stream(request, options)) {
          if (part.type === "tool-call") calls.push(part);
          const last = sent.at(-1);
          if (part.type === "finish" && last !== undefined) recordAnswer(last, calls, part.usage);
          yield part;
        }
      } catch (error) {
        const last = sent.at(-1);
        if (last !== undefined && error instanceof LlmError) last.status = error.status ?? 0;
        throw error;
      }
    },
  };
}

function recordAnswer(sent: SentRequest, calls: readonly ToolCall[], { inputTokens }: Usage): void {
  sent.status = 200;
  sent.calls = calls;
  if (inputTokens !== undefined) sent.inputTokens = inputTokens;
}

function toRecord({ bytes, estimatedTokens, status, inputTokens, calls, waitMs }: SentRequest): RequestRecord {
  const tokens =
    inputTokens === undefined ? { inputTokens: estimatedTokens, isEstimate: true as const } : { inputTokens };
  const became = calls === undefined ? describeWait(status, waitMs) : { answer: toOneLine(describeCalls(calls)) };
  return { bytes, ...tokens, status, ...became };
}

function readLimit(headers: Headers): number | undefined {
  const stated = headers.get(LIMIT_HEADER) ?? "";
  return /^[1-9]\d*$/.test(stated) ? Number(stated) : undefined;
}

function describeFailure(error: unknown): Ending {
  if (error instanceof LlmError && error.kind !== "status") return { outcome: "no-answer", detail: error.message };
  return describeRefusal(error);
}

/** A model may say anything, control characters of the terminal included. */
function toOneLine(text: string): string {
  return text.replace(/[\s\p{C}]+/gu, " ").trim();
}

function sleepInFact(ms: number, signal?: AbortSignal): Promise<unknown> {
  return setTimeout(ms, undefined, signal === undefined ? {} : { signal });
}
