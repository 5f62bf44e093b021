import type { LlmRequest } from "../llm-client.js";

const MAX_LENGTH = 300;
/** Letters and digits in a row that are no coincidence. */
const ECHO_LENGTH = 16;
const NOT_SAID = /\\+[nrtu]|[^\p{L}\p{N}]+/gu;

/**
 * The first line of what a provider says of a request, unless it repeats the request: errors end up in logs, and logs
 * never hold tool text.
 */
export function quoteProvider(sentence: string, request: LlmRequest): string | undefined {
  const [line = ""] = sentence.trim().split("\n");
  const quoted = line.slice(0, MAX_LENGTH).toWellFormed();
  return quoted === "" || repeats(quoted, request) ? undefined : quoted;
}

// However the provider quotes, escapes or wraps it: only letters and digits are compared.
function repeats(quoted: string, { instructions, messages }: LlmRequest): boolean {
  const said = JSON.stringify([instructions, messages]).replace(NOT_SAID, "");
  const letters = quoted.replace(NOT_SAID, "");
  for (let start = 0; start + ECHO_LENGTH <= letters.length; start++) {
    if (said.includes(letters.slice(start, start + ECHO_LENGTH))) return true;
  }
  return false;
}
