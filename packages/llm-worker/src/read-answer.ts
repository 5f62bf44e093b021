import { copyPart } from "./copy-part.js";
import { type LlmClient, LlmError, type LlmRequest, type Usage } from "./llm-client.js";
import type { AssistantPart } from "./messages.js";

/** A whole answer of the model, plain and frozen. */
export interface Answer {
  readonly parts: readonly AssistantPart[];
  readonly usage: Usage;
}

/**
 * Reads one answer to its `finish`. An answer that ends before, or holds what is no part, counts as none: nothing of it
 * is kept.
 *
 * @throws LlmError, or whatever the client throws.
 */
export async function readAnswer(
  client: LlmClient,
  request: LlmRequest,
  signal: AbortSignal,
  tellDelta: (text: string) => void,
): Promise<Answer> {
  const parts: AssistantPart[] = [];
  const stream = client.stream(request, { signal })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value: part } = await stream.next();
      signal.throwIfAborted();
      if (done) throw new LlmError("The answer ended before it was finished.", { kind: "protocol" });
      if (part?.type === "finish") return { parts: Object.freeze(parts), usage: copyUsage(part.usage) };
      if (part?.type === "text-delta") tellDelta(String(part.text));
      else parts.push(...copyParts(part));
    }
  } finally {
    release(stream);
  }
}

// Not awaited: a client that cannot let go of its stream must not hold the answer back.
function release(stream: AsyncIterator<unknown>): void {
  const close = async () => stream.return?.();
  close().catch(() => {});
}

function copyParts(part: AssistantPart): readonly AssistantPart[] {
  try {
    const copy = copyPart(part);
    return copy === undefined ? [] : [copy];
  } catch (cause) {
    throw new LlmError("The client yielded what is no part of an answer.", { kind: "protocol", cause });
  }
}

function copyUsage(usage: Usage | undefined): Usage {
  const { inputTokens, outputTokens, cachedInputTokens } = usage ?? {};
  return Object.freeze({
    ...(isTokenCount(inputTokens) && { inputTokens }),
    ...(isTokenCount(outputTokens) && { outputTokens }),
    ...(isTokenCount(cachedInputTokens) && { cachedInputTokens }),
  });
}

function isTokenCount(value: unknown): value is number {
  return Number.isFinite(value) && Number(value) >= 0;
}
