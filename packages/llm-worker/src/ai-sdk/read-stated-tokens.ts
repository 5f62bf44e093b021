import type { LlmErrorDetails } from "../llm-client.js";
import type { ProviderError } from "./provider-error.js";

/**
 * What a refusal says of tokens in its body. Where it is for the size, the code often says so, but the figures stand in
 * the sentence alone. Each form is one that a provider is known to use, from its first word on, so that a sentence that
 * repeats what was sent says nothing; and each is read beside its own statuses only.
 */
export function readStatedTokens({
  status,
  sentence,
}: ProviderError): Pick<LlmErrorDetails, "requestedTokens" | "inputTokenLimit"> {
  for (const { statuses, form } of FORMS) {
    const figures = statuses.includes(status ?? 0)
      ? form.exec(sentence.slice(0, MAX_SENTENCE_UNITS))?.groups
      : undefined;
    if (figures === undefined) continue;
    const { limit, asked, output = "0" } = figures;
    return { inputTokenLimit: Number(limit), requestedTokens: Number(asked) + Number(output) };
  }
  return {};
}

const MAX_SENTENCE_UNITS = 1_000;

/** `asked` and `output` together are what the request asks for. */
const FORMS: readonly { readonly statuses: readonly number[]; readonly form: RegExp }[] = [
  // Anthropic, itself and through Bedrock.
  {
    statuses: [400],
    form: /^(?:The model returned the following errors: )?prompt is too long: (?<asked>\d{1,12}) tokens > (?<limit>\d{1,12}) maximum/,
  },
  {
    statuses: [400],
    form: /^(?:The model returned the following errors: )?input length and `max_tokens` exceed context limit: (?<asked>\d{1,12}) \+ (?<output>\d{1,12}) > (?<limit>\d{1,12})/,
  },
  // OpenAI, and what speaks its protocol: DeepSeek, OpenRouter, vLLM.
  {
    statuses: [400],
    form: /^This (?:model|endpoint)'s maximum context length is (?<limit>\d{1,12}) tokens[.,] [Hh]owever, (?:your messages resulted in|you requested)(?: about)? (?<asked>\d{1,12}) tokens/,
  },
  {
    statuses: [400],
    form: /^Input tokens exceed the configured limit of (?<limit>\d{1,12}) tokens\. Your messages resulted in (?<asked>\d{1,12}) tokens/,
  },
  // Both of OpenAI's 429 bodies; Groq says the first with 413. Requests a minute are worded alike: they are no tokens.
  {
    statuses: [413, 429],
    form: /^(?:Request too large|Rate limit reached) for .{1,400} on tokens per \w{1,10} \(TP[MD]\): Limit (?<limit>\d{1,12})(?:, Used \d{1,12})?, Requested (?<asked>\d{1,12})/,
  },
  // Gemini.
  {
    statuses: [400],
    form: /^The input token count \((?<asked>\d{1,12})\) exceeds the maximum number of tokens allowed \((?<limit>\d{1,12})\)/,
  },
];
