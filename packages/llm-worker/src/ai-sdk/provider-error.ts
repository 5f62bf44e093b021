import { fieldsOf } from "./fields-of.js";

/** What a provider says when it refuses, in whatever envelope it comes. */
export interface ProviderError {
  /** HTTP status, of 300 or more. */
  readonly status?: number;
  readonly code?: string;
  /** The provider's own words: they may repeat what was sent. */
  readonly sentence: string;
}

/** The documented statuses of errors that come as an event in a stream, whose own status was sent as 200 long before. */
const STATUS_OF_CODE: ReadonlyMap<string, number> = new Map([
  ["invalid_request_error", 400],
  ["context_length_exceeded", 400],
  ["authentication_error", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["insufficient_quota", 429],
  ["api_error", 500],
  ["server_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

/** Anything longer or stranger is no code, and may be text. */
const CODE = /^\w[\w.-]{0,63}$/;

/** Reads an `APICallError` of the AI SDK, or the content of an `error` part of a stream, by shape. */
export function readProviderError(error: unknown): ProviderError {
  const fields = fieldsOf(error);
  const said = readEnvelope(error);
  const code = [said.code, said.type, said.status].find(isCode);
  const status = readStatus(fields.statusCode, said.code, code);
  return {
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    sentence: typeof said.message === "string" ? said.message : "",
  };
}

/** Anthropic and OpenAI wrap the error in the answer's body as `error`; a stream hands it over bare. */
function readEnvelope(error: unknown): Readonly<Record<string, unknown>> {
  const { data, responseBody } = fieldsOf(error);
  const body = error instanceof Error ? fieldsOf(data ?? parseJson(responseBody)) : fieldsOf(error);
  return fieldsOf(
    [body.error, fieldsOf(body.response).error, body].find((value) => typeof value === "object" && value),
  );
}

function readStatus(statusCode: unknown, providerCode: unknown, code: string | undefined): number | undefined {
  const documented = code === undefined ? undefined : STATUS_OF_CODE.get(code);
  // The Anthropic provider calls every error event that comes first a 500, except overload.
  if (statusCode === 500 && documented !== undefined) return documented;
  const stated = [statusCode, Number(providerCode)].find(isErrorStatus);
  return stated ?? documented;
}

function isErrorStatus(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 300 && value <= 599;
}

function isCode(value: unknown): value is string {
  return typeof value === "string" && value !== "error" && CODE.test(value);
}

function parseJson(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Proxies answer in HTML: the status says enough.
    return undefined;
  }
}
