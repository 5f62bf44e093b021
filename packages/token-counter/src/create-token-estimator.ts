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
   * that makes no sense (not from 1 to 10^9) changes nothing.
   *
   * @throws RangeError where `size` has a figure that is no number of bytes.
   */
  report(size: RequestSize, inputTokens: number): void;
  /**
   * Tokens of a coming request, an integer: the last reported figure and what was added since; before any report all
   * bytes at 1.8 a token. It never falls where bytes are added.
   *
   * @throws RangeError where `size` has a figure that is no number of bytes.
   */
  estimate(size: RequestSize): number;
  /** Bytes of new text that so many tokens are estimated to pay for, an integer; 0 where `tokens` is not above 0. */
  bytesFor(tokens: number): number;
}

/** Bytes per token before anything is learned, and of what is opaque: path lists, the densest text that agents send. */
const FIRST_DENSITY = 1.8;
/** No tokenizer of today's providers makes two tokens of one byte. */
const MIN_DENSITY = 1;
/** About English prose. Text that is lighter still is estimated too high, which is the safe side. */
const MAX_DENSITY = 4;
/** Below it the rounding of a report and what frames a message weigh too much. */
const MIN_DIFFERENCE_BYTES = 512;
/** Nobody knows what opaque bytes cost: a difference may hold one for so many bytes of text. */
const TEXT_BYTES_PER_OPAQUE = 16;
/** Differences that are remembered: a session's traffic changes. */
const MAX_DIFFERENCES = 16;
const MAX_TOKENS = 1e9;

/** Plain data: what is learned can be kept as JSON. */
interface EstimatorState {
  readonly last?: Report;
  /** Newest last. */
  readonly differences: readonly Difference[];
}

interface Report {
  readonly size: RequestSize;
  readonly inputTokens: number;
}

interface Difference {
  readonly bytes: number;
  readonly density: number;
}

/** An estimator that knows nothing yet. One for each session: it learns from the difference of consecutive reports. */
export function createTokenEstimator(): TokenEstimator {
  let state: EstimatorState = { differences: [] };
  return {
    report: (size, inputTokens) => {
      state = learn(state, { size: copySize(size), inputTokens });
    },
    estimate: (size) => estimateTokens(state, copySize(size)),
    bytesFor: (tokens) => Math.floor(Math.min(Math.max(tokens || 0, 0), MAX_TOKENS) * densityOf(state)),
  };
}

function learn(state: EstimatorState, report: Report): EstimatorState {
  if (!isTokenCount(report.inputTokens)) return state;
  const difference = state.last && readDifference(state.last, report);
  const differences = difference ? [...state.differences, difference].slice(-MAX_DIFFERENCES) : state.differences;
  return { last: report, differences };
}

/** What stands before the new text is in both figures, so the difference is free of it. */
function readDifference(earlier: Report, later: Report): Difference | undefined {
  const bytes = later.size.textBytes - earlier.size.textBytes;
  const tokens = later.inputTokens - earlier.inputTokens;
  const opaqueBytes = Math.abs(later.size.opaqueBytes - earlier.size.opaqueBytes);
  if (bytes < MIN_DIFFERENCE_BYTES || tokens <= 0) return undefined;
  if (opaqueBytes * TEXT_BYTES_PER_OPAQUE > bytes) return undefined;
  if (later.size.preambleBytes !== earlier.size.preambleBytes) return undefined;
  return { bytes, density: Math.min(Math.max(bytes / tokens, MIN_DENSITY), MAX_DENSITY) };
}

/** The median of bytes: half of what was added lately is at least as dense. One odd report does not move it far. */
function densityOf({ differences }: EstimatorState): number {
  const total = differences.reduce((sum, { bytes }) => sum + bytes, 0);
  let passed = 0;
  for (const { bytes, density } of differences.toSorted((a, b) => a.density - b.density)) {
    passed += bytes;
    if (passed * 2 >= total) return density;
  }
  return FIRST_DENSITY;
}

function estimateTokens(state: EstimatorState, size: RequestSize): number {
  const { last } = state;
  if (last === undefined) return Math.ceil(tokensAt(FIRST_DENSITY, size));
  const density = densityOf(state);
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

function copySize({ textBytes, opaqueBytes, preambleBytes }: RequestSize): RequestSize {
  for (const [name, bytes] of Object.entries({ textBytes, opaqueBytes, preambleBytes })) {
    if (Number.isSafeInteger(bytes) && bytes >= 0) continue;
    throw new RangeError(
      `${name}: expected a number of UTF-8 bytes, an integer from 0, received ${String(bytes).slice(0, 80)}`,
    );
  }
  return { textBytes, opaqueBytes, preambleBytes };
}

function isTokenCount(value: number): boolean {
  return value >= 1 && value <= MAX_TOKENS;
}
