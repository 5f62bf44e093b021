import { setTimeout } from "node:timers/promises";
import { createTokenEstimator, type RequestSize, type TokenEstimator } from "@pod/token-counter";
import { adoptHistory, type LastBatch } from "./adopt-history.js";
import { copyText } from "./copy-text.js";
import { type ExecutionOptions, type ExecutionSetup, prepareExecution } from "./execution-setup.js";
import { History } from "./history.js";
import { FaultList } from "./invalid-options-error.js";
import { Journal } from "./journal.js";
import type { LlmClient, LlmRequest } from "./llm-client.js";
import type { Message } from "./messages.js";
import { describeTools } from "./prepare-tools.js";
import { countPreambleBytes } from "./request-size.js";
import { prepareRetry, type RetryOptions } from "./retry.js";
import type { SessionLog } from "./session-entry.js";

/** What a worker is made of: the model, the tools and their limits, and how patiently it asks. */
export interface WorkerOptions extends ExecutionOptions {
  /** The model; `fromLanguageModel` of `@pod/llm-worker/ai-sdk` makes one of any AI SDK model. */
  readonly client: LlmClient;
  /** The system prompt. */
  readonly instructions?: string;
  /**
   * An earlier history to go on with: it is copied and capped. A call without a result is closed, since it may have run;
   * one of the last message whose tool is idempotent runs when the worker is resumed. Beside a log it is what the log begins with.
   */
  readonly history?: readonly Message[];
  /** Where the session is written down, so that another process can resume it. Read by the first run. */
  readonly log?: SessionLog;
  /** Requests to the model in one run, retries not counted. Default 50. */
  readonly maxTurns?: number;
  /** How long a request is tried again that may succeed later. */
  readonly retry?: RetryOptions;
  /** Waits before a retry, in milliseconds; ends early when the signal aborts. The place for an injected clock. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What a worker is between two runs: its options, checked and copied, and its history. */
export interface WorkerState {
  readonly client: LlmClient;
  readonly setup: ExecutionSetup;
  readonly journal: Journal;
  /** Replaced once, where a log tells of another. */
  history: History;
  readonly maxTurns: number;
  readonly retry: Required<RetryOptions>;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** What goes with every request beside the messages. */
  readonly preamble: Omit<LlmRequest, "messages">;
  readonly preambleBytes: number;
  readonly estimator: TokenEstimator;
  /** Knows the last report and nothing else: what was added since, it takes for as dense as paths. */
  wary: TokenEstimator;
  /** Messages of the last request that was reported of. */
  reportedCount: number;
  /** Tokens of the last request that the provider read from its cache. */
  cachedInputTokens: number;
}

/** What the next request weighs. */
export function sizeOf({ history, preambleBytes }: WorkerState): RequestSize {
  return { ...history.size, preambleBytes };
}

/** @throws InvalidOptionsError that tells every fault of the options. */
export function prepareWorker(options: WorkerOptions): WorkerState {
  const faults = new FaultList();
  faults.expectObject(options, "options");
  const { client, instructions, history = [], log, maxTurns = 50, retry = {}, sleep = waitFor } = options;
  faults.expect(typeof client?.stream === "function", "client.stream", "a function", client?.stream);
  faults.expect(
    instructions === undefined || typeof instructions === "string",
    "instructions",
    "a string",
    instructions,
  );
  faults.expect(typeof sleep === "function", "sleep", "a function", sleep);
  faults.expectCount(maxTurns, "maxTurns");
  if (log !== undefined) {
    faults.expect(typeof log?.append === "function", "log.append", "a function", log?.append);
    faults.expect(typeof log?.read === "function", "log.read", "a function", log?.read);
  }
  const setup = prepareExecution(options, faults);
  const preparedRetry = prepareRetry(retry, faults);
  const lastBatch: LastBatch = {
    staysOpen: (unfinished) => unfinished.some(({ toolName }) => setup.tools.get(toolName)?.isIdempotent),
    hadStarted: () => true,
  };
  const { messages, open } = adoptHistory(history, setup.limits, lastBatch, faults);
  const tools = describeTools(setup.tools, faults);
  faults.throwIfAny();
  const preamble = {
    // Providers refuse a blank one.
    ...(instructions !== undefined && instructions.trim() !== "" && { instructions: copyText(instructions) }),
    tools,
  };
  return {
    client,
    setup,
    journal: new Journal(log),
    history: new History(messages, open),
    maxTurns,
    retry: preparedRetry,
    sleep,
    preamble,
    preambleBytes: countPreambleBytes(preamble),
    estimator: createTokenEstimator(setup.usageCounter),
    wary: createTokenEstimator(),
    reportedCount: 0,
    cachedInputTokens: 0,
  };
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal });
}
