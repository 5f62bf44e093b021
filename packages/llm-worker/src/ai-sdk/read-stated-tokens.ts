import type { LlmErrorDetails } from "../llm-client.js";
import type { ProviderError } from "./provider-error.js";

/**
 * What a refusal says of tokens in its body. The code often says that it is for the size, but the figures stand in the
 * sentence alone. Only sentences that providers are known to say, beside the status that they say them with, are read,
 * and from the first word on: one that repeats what was sent says nothing.
 */
export function readStatedTokens({
  status,
  sentence,
}: ProviderError): Pick<LlmErrorDetails, "requestedTokens" | "inputTokenLimit"> {
  const said = sentence.slice(0, MAX_SENTENCE_UNITS);
  for (const form of formsOf(status)) {
    const { limit, asked, output = "0" } = form.exec(said)?.groups ?? {};
    if (limit === undefined || asked === undefined) continue;
    return { inputTokenLimit: Number(limit), requestedTokens: Number(asked) + Number(output) };
  }
  return {};
}

const MAX_SENTENCE_UNITS = 1_000;

/** Where the window of the model is too small. `asked` and `output` together are what the request asks for. */
const OF_A_WINDOW: readonly RegExp[] = [
  // Anthropic, itself and through Bedrock.
  /^(?:The model returned the following errors: )?prompt is too long: (?<asked>\d{1,12}) tokens > (?<limit>\d{1,12}) maximum/,
  /^(?:The model returned the following errors: )?input length and `max_tokens` exceed context limit: (?<asked>\d{1,12}) \+ (?<output>\d{1,12}) > (?<limit>\d{1,12})/,
  // OpenAI, and others that speak its protocol.
  /^This (?:model|endpoint)'s maximum context length is (?<limit>\d{1,12}) tokens[.,] [Hh]owever, (?:your messages resulted in|you requested)(?: about)? (?<asked>\d{1,12}) tokens/,
  /^Input tokens exceed the configured limit of (?<limit>\d{1,12}) tokens\. Your messages resulted in (?<asked>\d{1,12}) tokens/,
  // Gemini.
  /^The input token count \((?<asked>\d{1,12})\) exceeds the maximum number of tokens allowed \((?<limit>\d{1,12})\)/,
];

/** Where the account's rate is: OpenAI's two sentences under one code. It words requests a minute alike: no tokens. */
const OF_A_RATE: readonly RegExp[] = [
  /^(?:Request too large|Rate limit reached) for .{1,400} on tokens per \w{1,10} \(TP[MD]\): Limit (?<limit>\d{1,12})(?:, Used \d{1,12})?, Requested (?<asked>\d{1,12})/,
];

function formsOf(status: number | undefined): readonly RegExp[] {
  if (status === 400) return OF_A_WINDOW;
  // Groq speaks like OpenAI, and answers 413.
  return status === 429 || status === 413 ? OF_A_RATE : [];
}
