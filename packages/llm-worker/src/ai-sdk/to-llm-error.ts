import { LlmError, type LlmErrorDetails, type LlmRequest } from "../llm-client.js";
import { fieldsOf } from "./fields-of.js";
import { readNetworkFailure } from "./network-failure.js";
import { readProviderError } from "./provider-error.js";
import { quoteProvider } from "./quote-provider.js";
import { readRateLimitHeaders } from "./rate-limit-headers.js";
import { readStatedTokens } from "./read-stated-tokens.js";

/** What was being done when it failed. */
export interface FailedRequest {
  /** Provider and model, for people. */
  readonly source: string;
  readonly request: LlmRequest;
  /** Of the answer, from when there is one. */
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** What the SDK throws where a provider answered, and not as its protocol says. */
const UNREADABLE_ANSWER: ReadonlySet<unknown> = new Set([
  "AI_EmptyResponseBodyError",
  "AI_InvalidResponseDataError",
  "AI_JSONParseError",
  "AI_NoContentGeneratedError",
  "AI_TypeValidationError",
]);

/**
 * A new error that says what went wrong, and has no cause: an `APICallError` of the AI SDK holds the whole request, and
 * errors end up in logs. An `LlmError`, or an `Error` of the model's own where it made no request at all.
 */
export function toLlmError(error: unknown, { source, request, headers }: FailedRequest): Error {
  if (error instanceof LlmError) return error;
  const { name, message, statusCode, responseHeaders } = fieldsOf(error);
  const said = readProviderError(error);
  const { status, code, sentence } = said;
  const own = code === undefined ? {} : { code };
  if (status !== undefined) {
    // Where a key is refused, the sentence may repeat the key.
    const quoted = status === 401 || status === 403 ? undefined : quoteProvider(sentence, request);
    // What the body says was asked for is measured by the limit beside it, which need not be the one of the headers.
    const figures = { ...readRateLimitHeaders(fieldsOf(responseHeaders ?? headers)), ...readStatedTokens(said) };
    return fail(`${source} answered ${status}`, code, quoted, { kind: "status", status, ...own, ...figures });
  }
  const network = readNetworkFailure(error);
  if (network !== undefined)
    return fail(`${source} gave no whole answer`, network.code, undefined, { kind: "network" });
  if (headers !== undefined || statusCode !== undefined || UNREADABLE_ANSWER.has(name)) {
    const quoted = quoteProvider(sentence, request);
    return fail(`${source} gave an answer that makes no sense`, code, quoted, { kind: "protocol", ...own });
  }
  return copyError(name, quoteProvider(String(message ?? error), request) ?? `${source} made no request`);
}

function fail(fact: string, code: string | undefined, quoted: string | undefined, details: LlmErrorDetails): LlmError {
  return new LlmError(`${fact}${code ? ` (${code})` : ""}${quoted ? `: ${quoted}` : ""}`, details);
}

function copyError(name: unknown, message: string): Error {
  const copy = new Error(message);
  if (typeof name === "string") copy.name = name;
  return copy;
}
