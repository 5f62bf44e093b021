import type { LlmRequest } from "../llm-client.js";

/** Code units of UTF-16, as all figures here. */
const MAX_QUOTE_UNITS = 300;
/** Letters and digits in a row that are no coincidence. */
const ECHO_UNITS = 16;
const NOT_SAID = /\\+[nrtu]|[^\p{L}\p{N}]+/gu;

/**
 * The first line of what a provider says of a request, unless it repeats the request: errors end up in logs, and logs
 * never hold tool text.
 */
export function quoteProvider(sentence: string, request: LlmRequest): string | undefined {
  const [line = ""] = sentence.trim().split("\n");
  const quoted = line.slice(0, MAX_QUOTE_UNITS).toWellFormed();
  return quoted === "" || repeats(quoted, request) ? undefined : quoted;
}

// However the provider quotes, escapes or wraps it: only letters and digits are compared.
function repeats(quoted: string, { instructions, messages }: LlmRequest): boolean {
  const said = JSON.stringify([instructions, messages]).replace(NOT_SAID, "");
  const letters = quoted.replace(NOT_SAID, "");
  for (let start = 0; start + ECHO_UNITS <= letters.length; start++) {
    if (said.includes(letters.slice(start, start + ECHO_UNITS))) return true;
  }
  return false;
}
