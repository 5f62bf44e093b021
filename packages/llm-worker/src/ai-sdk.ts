import { fieldsOf } from "./ai-sdk/fields-of.js";
import type { LanguageModel } from "./ai-sdk/language-model.js";
import { readModelStream } from "./ai-sdk/read-model-stream.js";
import { toLlmError } from "./ai-sdk/to-llm-error.js";
import { toPrompt, toTools } from "./ai-sdk/to-prompt.js";
import type { LlmClient, LlmRequest, LlmStreamPart } from "./llm-client.js";

export type {
  LanguageModel,
  LanguageModelCallOptions,
  LanguageModelStreamPart,
  LanguageModelStreamReader,
  LanguageModelStreamResult,
} from "./ai-sdk/language-model.js";

/**
 * A client for any AI SDK language model of specification v3 (AI SDK 6) or v4 (AI SDK 7), known by its shape alone.
 *
 * What the model makes (text, reasoning and its signature, tool calls) comes back to it unchanged in the next request;
 * only what the provider would refuse is mended there: blank text, an input that is no object, names and ids of calls.
 * What the provider's own tools make (their calls and results, files, sources, quotations in metadata) is left out: it
 * would enter history without passing the cap. Metadata of reasoning and calls is not capped: it must hold no tool text.
 * Settings such as thinking belong to the model: wrap it with the SDK's middleware.
 *
 * The stream throws `LlmError` where the provider fails, the signal's reason where the signal is aborted, and an `Error`
 * with the model's own name and words where the model made no request at all (a missing API key, say). No error holds
 * what was sent.
 *
 * @throws TypeError where `model` is no such model.
 */
export function fromLanguageModel(model: LanguageModel): LlmClient {
  requireLanguageModel(model);
  return { stream: (request, { signal }) => streamAnswer(model, request, signal) };
}

async function* streamAnswer(
  model: LanguageModel,
  request: LlmRequest,
  signal: AbortSignal,
): AsyncGenerator<LlmStreamPart, void, undefined> {
  signal.throwIfAborted();
  const tools = toTools(request);
  const options = { prompt: toPrompt(request), abortSignal: signal, includeRawChunks: false };
  const source = `${model.provider} ${model.modelId}`;
  let headers: Readonly<Record<string, string>> | undefined;
  try {
    const answer = await model.doStream(tools.length === 0 ? options : { ...options, tools });
    headers = answer.response?.headers ?? {};
    yield* readModelStream(answer.stream.getReader(), { source, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw toLlmError(error, { source, request, headers });
  }
}

function requireLanguageModel(model: unknown): void {
  const { specificationVersion, doStream } = fieldsOf(model);
  if ((specificationVersion === "v3" || specificationVersion === "v4") && typeof doStream === "function") return;
  throw new TypeError(
    `model: expected an AI SDK language model of specification v3 or v4, received ${describeModel(model)}. ` +
      'Write: fromLanguageModel(createAnthropic()("model id")), with a provider package for AI SDK 6 or 7',
  );
}

function describeModel(model: unknown): string {
  if (typeof model === "string") return `the string ${JSON.stringify(model.slice(0, 80))}`;
  if (typeof model === "function") return "a function (a provider becomes a model when it is called with a model id)";
  if (typeof model !== "object" || model === null) return String(model).slice(0, 80);
  const { specificationVersion, doStream } = fieldsOf(model);
  if (specificationVersion === undefined) return "an object without specificationVersion";
  const version = JSON.stringify(specificationVersion)?.slice(0, 80);
  return typeof doStream === "function"
    ? `one of specification ${version}`
    : `an object of specification ${version} without doStream`;
}
