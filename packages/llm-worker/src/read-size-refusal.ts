import { LlmError } from "./llm-client.js";

/** What a failure says of the size of its request. */
export type SizeRefusal =
  /** It can never pass as it stands, says the provider: by its status, its code, or its own figures. */
  | { readonly type: "too-large"; readonly inputTokenLimit?: number; readonly requestedTokens?: number }
  /** A 429 with a known limit, where the provider does not say what the request asks for: an estimate decides. */
  | { readonly type: "limited"; readonly inputTokenLimit: number };

const TOO_LARGE_CODES: ReadonlySet<unknown> = new Set(["request_too_large", "context_length_exceeded"]);

/** Undefined where the failure says nothing of size, or where the same request may pass later by the provider's figures. */
export function readSizeRefusal(error: unknown): SizeRefusal | undefined {
  if (!(error instanceof LlmError) || error.kind !== "status") return undefined;
  const { status = 0, code } = error;
  const inputTokenLimit = readCount(error.inputTokenLimit);
  const requestedTokens = readCount(error.requestedTokens);
  const isKnown = inputTokenLimit !== undefined && requestedTokens !== undefined;
  const exceeds = isKnown && requestedTokens > inputTokenLimit && status >= 400 && status < 500;
  if (status === 413 || TOO_LARGE_CODES.has(code) || exceeds) {
    return {
      type: "too-large",
      ...(inputTokenLimit !== undefined && { inputTokenLimit }),
      ...(requestedTokens !== undefined && { requestedTokens }),
    };
  }
  if (status !== 429 || isKnown || inputTokenLimit === undefined) return undefined;
  return { type: "limited", inputTokenLimit };
}

// A hand-made client may hand over anything.
function readCount(tokens: unknown): number | undefined {
  return Number.isFinite(tokens) && Number(tokens) > 0 ? Number(tokens) : undefined;
}
