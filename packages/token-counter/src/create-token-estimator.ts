import { FIRST_DENSITY } from "./bytes-per-token.js";
import { checkBytes } from "./check-bytes.js";
import { createUsageCounter, type UsageCounter } from "./create-usage-counter.js";
import { checkToolBytes, MAX_TOKENS } from "./usage-difference.js";

/** What a request weighs, in UTF-8 bytes. */
export interface RequestSize {
  /** Of the texts of its messages, tool calls and tool results included. */
  readonly textBytes: number;
  /** Of what is no text to read, though it stands in messages: base64 runs, signatures and other metadata. */
  readonly opaqueBytes: number;
  /** Of what goes with every request: the system prompt and the tools. */
  readonly preambleBytes: number;
}

/** Estimates the input tokens of requests of one session, and learns from what the provider reports of each. */
export interface TokenEstimator {
  /**
   * Tells of an answered request. `inputTokens` is the provider's figure, those that it read from its cache included; one
   * that makes no sense (not from 1 to 10^9) changes nothing. `toolBytes` are the UTF-8 bytes of the results that were
   * not in the request before, by the name of their tool: the counter learns of the tool where nearly all that is new
   * comes from it.
   *
   * @throws RangeError where `size` or `toolBytes` has a figure that is no number of bytes.
   */
  report(size: RequestSize, inputTokens: number, toolBytes?: ReadonlyMap<string, number>): void;
  /**
   * Tokens of a coming request, an integer: the last reported figure and what was added since; before any report all
   * bytes at what the counter knows, 1.8 a token where it is new. It never falls where bytes are added.
   *
   * @throws RangeError where `size` has a figure that is no number of bytes.
   */
  estimate(size: RequestSize): number;
  /** Bytes of new text that so many tokens are estimated to pay for, an integer; 0 where `tokens` is not above 0. */
  bytesFor(tokens: number): number;
}

interface Report {
  readonly size: RequestSize;
  readonly inputTokens: number;
}

/**
 * An estimator for one session: it learns from the difference of consecutive reports. What it learns is in `counter`, which
 * sessions with the same model may share; it takes the typical bytes per token from it, not the safe ones.
 */
export function createTokenEstimator(counter: UsageCounter = createUsageCounter()): TokenEstimator {
  let last: Report | undefined;
  return {
    report: (size, inputTokens, toolBytes) => {
      const report = { size: copySize(size), inputTokens };
      checkToolBytes(toolBytes);
      if (!isTokenCount(inputTokens)) return;
      if (last !== undefined) learnDifference(last, report, toolBytes, counter);
      last = report;
    },
    estimate: (size) => estimateTokens(last, copySize(size), counter.typicalBytesPerToken()),
    bytesFor: (tokens) => bytesAt(counter.typicalBytesPerToken(), Math.min(Math.max(tokens || 0, 0), MAX_TOKENS)),
  };
}

/** What stands before the new text is in both figures, so the difference is free of it. */
function learnDifference(
  earlier: Report,
  later: Report,
  toolBytes: ReadonlyMap<string, number> | undefined,
  counter: UsageCounter,
): void {
  if (later.size.preambleBytes !== earlier.size.preambleBytes) return;
  counter.learn({
    textBytes: later.size.textBytes - earlier.size.textBytes,
    opaqueBytes: later.size.opaqueBytes - earlier.size.opaqueBytes,
    inputTokens: later.inputTokens - earlier.inputTokens,
    ...(toolBytes !== undefined && { toolBytes }),
  });
}

function estimateTokens(last: Report | undefined, size: RequestSize, density: number): number {
  if (last === undefined) return Math.ceil(tokensAt(density, size));
  const added = tokensAt(density, {
    textBytes: size.textBytes - last.size.textBytes,
    opaqueBytes: size.opaqueBytes - last.size.opaqueBytes,
    preambleBytes: size.preambleBytes - last.size.preambleBytes,
  });
  if (added >= 0) return Math.ceil(last.inputTokens + added);
  // A shorter request shrinks in proportion: what was taken away need not be of the learned density.
  const share = tokensAt(density, size) / tokensAt(density, last.size);
  return Math.ceil(last.inputTokens * Math.min(share, 1));
}

function tokensAt(density: number, { textBytes, opaqueBytes, preambleBytes }: RequestSize): number {
  return (textBytes + preambleBytes) / density + opaqueBytes / FIRST_DENSITY;
}

/** The most bytes that cost no more than so many tokens, also where the product was rounded up to an integer. */
function bytesAt(density: number, tokens: number): number {
  const bytes = Math.floor(tokens * density);
  return bytes / density > tokens ? bytes - 1 : bytes;
}

function copySize({ textBytes, opaqueBytes, preambleBytes }: RequestSize): RequestSize {
  for (const [name, bytes] of Object.entries({ textBytes, opaqueBytes, preambleBytes })) checkBytes(name, bytes);
  return { textBytes, opaqueBytes, preambleBytes };
}

function isTokenCount(value: number): boolean {
  return value >= 1 && value <= MAX_TOKENS;
}
