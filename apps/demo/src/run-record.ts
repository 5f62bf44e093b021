import { type LlmClient, LlmError, RequestTooLargeError } from "@pod/llm-worker";

/** The two runs of the incident. */
export type IncidentRun = "uncapped" | "capped";

export interface RunRecord<Name extends string = IncidentRun> {
  readonly name: Name;
  /** `finished`, or why not: `rate-limited`, `request-too-large`, `refused`, `no-answer`, or what a worker's run may end in. */
  readonly outcome: string;
  /** One or more lines for people. */
  readonly detail: string;
  readonly requests: readonly RequestRecord[];
}

export interface RequestRecord {
  /** UTF-8 bytes of the body. */
  readonly bytes: number;
  readonly inputTokens: number;
  /** Nobody who knows has counted the tokens: a real provider does not say how many a request had that it refuses. */
  readonly isEstimate?: true;
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** What the model did, or what became of the request. */
  readonly answer: string;
  /** How long the agent waits before it sends the request again. */
  readonly waitMs?: number;
}

export type Ending = Pick<RunRecord, "outcome" | "detail">;

/** Runs an agent to its end, by this client and these waits. */
export type Agent = (client: LlmClient, sleep: (ms: number, signal?: AbortSignal) => Promise<void>) => Promise<Ending>;

/** A request that was not answered, with the wait after it, if there was one. */
export function describeWait(status: number, waitMs: number | undefined): Pick<RequestRecord, "answer" | "waitMs"> {
  const what = status === 0 ? "no answer" : String(status);
  return waitMs === undefined
    ? { answer: `${what}, gives up` }
    : { answer: `${what}, waits ${Math.ceil(waitMs / 1000)} s`, waitMs };
}

/** A refusal is an ending to tell of; any other failure stays one. */
export function describeRefusal(error: unknown): Ending {
  if (error instanceof RequestTooLargeError) return { outcome: "request-too-large", detail: error.message };
  if (error instanceof LlmError && error.kind === "status") {
    return { outcome: error.status === 429 ? "rate-limited" : "refused", detail: `${error.status}: ${error.message}` };
  }
  throw error;
}
