import { fieldsOf } from "./fields-of.js";

/** How the connection failed. */
export interface NetworkFailure {
  /** The system's own code, such as `ECONNRESET`. */
  readonly code?: string;
}

const CODE = /^(E[A-Z]+|EAI_[A-Z]+|UND_ERR_\w+)$/;
const NAMES: ReadonlySet<unknown> = new Set(["AbortError", "TimeoutError"]);
/** The words of the runtimes' `fetch`, which has no codes of its own. */
const MESSAGE = /^(fetch failed|failed to fetch|terminated|load failed|network error)$/i;
const MAX_CAUSES = 8;

/** Tells, by an error and its causes, whether the network is what failed. */
export function readNetworkFailure(error: unknown): NetworkFailure | undefined {
  const causes = causesOf(error);
  const code = causes.map((cause) => cause.code).find((code) => typeof code === "string" && CODE.test(code));
  if (typeof code === "string") return { code };
  return causes.some(isFailedFetch) || isCallWithoutAnswer(error) ? {} : undefined;
}

function causesOf(error: unknown): Fields[] {
  const causes: Fields[] = [];
  for (let cause = error; cause instanceof Error && causes.length < MAX_CAUSES; cause = cause.cause) {
    causes.push(fieldsOf(cause));
  }
  return causes;
}

// A time-out of the host's own `fetch` is an abort as well; where the worker aborts, nobody asks what failed.
function isFailedFetch({ name, message }: Fields): boolean {
  return NAMES.has(name) || (name === "TypeError" && MESSAGE.test(String(message)));
}

/** An `APICallError` that has no status. */
function isCallWithoutAnswer(error: unknown): boolean {
  const { isRetryable, statusCode } = fieldsOf(error);
  return typeof isRetryable === "boolean" && statusCode === undefined;
}

type Fields = Readonly<Record<string, unknown>>;
