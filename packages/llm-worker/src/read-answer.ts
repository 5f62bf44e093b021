import { copyPart } from "./copy-part.js";
import { type LlmClient, LlmError, type LlmRequest, type LlmStreamPart, type Usage } from "./llm-client.js";
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
  onDelta: (text: string) => void,
): Promise<Answer> {
  const parts: AssistantPart[] = [];
  const stream = client.stream(request, { signal })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await stream.next();
      signal.throwIfAborted();
      if (done) throw new LlmError("The answer ended before it was finished.", { kind: "protocol" });
      const part = readPart(value);
      if (part?.type === "finish") return { parts: Object.freeze(parts), usage: part.usage };
      if (part?.type === "text-delta") onDelta(part.text);
      else if (part !== undefined) parts.push(part);
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

/** A copy of what the client yielded. Undefined for a blank part. */
function readPart(part: LlmStreamPart): LlmStreamPart | undefined {
  try {
    switch (part.type) {
      case "finish":
        return { type: "finish", usage: copyUsage(part.usage) };
      case "text-delta":
        return { type: "text-delta", text: String(part.text) };
      default:
        return copyPart(part);
    }
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
