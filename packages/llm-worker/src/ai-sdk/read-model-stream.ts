import { LlmError, type LlmStreamPart, type Usage } from "../llm-client.js";
import { createAnswerBlocks } from "./answer-blocks.js";
import { fieldsOf } from "./fields-of.js";
import type { LanguageModelStreamReader } from "./language-model.js";
import { letGo, letGoAtEnd } from "./let-go.js";

/**
 * One answer, read from a model's stream: deltas as they come, each block when it is complete, then the usage.
 * Throws what an `error` part holds, as it is. Lets go of the stream in every case.
 */
export async function* readModelStream(
  reader: LanguageModelStreamReader,
  { source, signal }: { readonly source: string; readonly signal: AbortSignal },
): AsyncGenerator<LlmStreamPart, void, undefined> {
  const blocks = createAnswerBlocks();
  let isWhole = false;
  const onAbort = () => void letGo(reader, signal.reason);
  const stopListening = () => signal.removeEventListener("abort", onAbort);
  signal.addEventListener("abort", onAbort);
  try {
    // Not every model heeds the signal while it is asked.
    signal.throwIfAborted();
    for (;;) {
      const { done, value: part } = await reader.read();
      signal.throwIfAborted();
      if (done || part === undefined) throw cutShort(source, "the stream ended without a finish");
      const fields = fieldsOf(part);
      if (part.type === "error") throw fields.error;
      if (part.type === "text-delta" && isText(fields.delta)) yield { type: "text-delta", text: fields.delta };
      if (part.type === "finish") {
        requireWhole(fields, source);
        isWhole = true;
        yield* blocks.takeRest();
        yield { type: "finish", usage: toUsage(fields.usage) };
        return;
      }
      blocks.accept(part);
      yield* blocks.takeComplete();
    }
  } finally {
    // Nobody waits for either: the answer is there, or lost.
    if (isWhole) {
      void letGoAtEnd(reader).then(stopListening);
    } else {
      stopListening();
      void letGo(reader, signal.reason);
    }
  }
}

/** Usage comes last, so an answer with neither a reason nor usage has lost its end: some models finish it all the same. */
function requireWhole({ finishReason, usage }: Readonly<Record<string, unknown>>, source: string): void {
  const { unified, raw } = fieldsOf(finishReason);
  const isUnexplained = unified === "other" && raw === undefined && toUsage(usage).outputTokens === undefined;
  if (isUnexplained || unified === "interrupted") throw cutShort(source, "it stopped without a reason");
  if (unified === "error") throw new LlmError(`${source} failed while it answered`, { kind: "protocol" });
}

function cutShort(source: string, sign: string): LlmError {
  return new LlmError(`${source} gave no whole answer: ${sign}`, { kind: "protocol" });
}

function toUsage(usage: unknown): Usage {
  const { inputTokens, outputTokens } = fieldsOf(usage);
  return {
    ...countOf("inputTokens", fieldsOf(inputTokens).total),
    ...countOf("outputTokens", fieldsOf(outputTokens).total),
    ...countOf("cachedInputTokens", fieldsOf(inputTokens).cacheRead),
  };
}

function countOf(name: keyof Usage, count: unknown): Usage {
  return typeof count === "number" ? { [name]: count } : {};
}

function isText(delta: unknown): delta is string {
  return typeof delta === "string" && delta !== "";
}
