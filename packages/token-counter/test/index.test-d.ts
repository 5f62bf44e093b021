// Checked by tsc alone: a signature that changes does not compile here.
import { type BpeCounter, type BpeEncoding, createBpeCounter } from "../src/bpe.js";
import {
  createTokenEstimator,
  createUsageCounter,
  type RequestSize,
  type TokenEstimator,
  type UsageCounter,
  type UsageCounterState,
  type UsageDifference,
  type UsageSample,
} from "../src/index.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

assertType<Same<typeof createTokenEstimator, (counter?: UsageCounter) => TokenEstimator>>();
assertType<
  Same<RequestSize, { readonly textBytes: number; readonly opaqueBytes: number; readonly preambleBytes: number }>
>();
assertType<Same<keyof TokenEstimator, "report" | "estimate" | "bytesFor">>();
assertType<
  Same<
    TokenEstimator["report"],
    (size: RequestSize, inputTokens: number, toolBytes?: ReadonlyMap<string, number>) => void
  >
>();
assertType<Same<TokenEstimator["estimate"], (size: RequestSize) => number>>();
assertType<Same<TokenEstimator["bytesFor"], (tokens: number) => number>>();

// @ts-expect-error: a bare number is no size.
createTokenEstimator().estimate(5);

assertType<Same<typeof createUsageCounter, (state?: UsageCounterState) => UsageCounter>>();
assertType<Same<keyof UsageCounter, "count" | "forTool" | "learn" | "typicalBytesPerToken" | "state">>();
assertType<Same<ReturnType<UsageCounter["forTool"]>, Pick<UsageCounter, "count">>>();
assertType<Same<keyof UsageDifference, "textBytes" | "opaqueBytes" | "inputTokens" | "toolBytes">>();
assertType<Same<UsageSample, { readonly bytes: number; readonly tokens: number }>>();
assertType<Same<BpeEncoding, "o200k_base" | "cl100k_base">>();
assertType<Same<typeof createBpeCounter, (encoding: BpeEncoding) => BpeCounter>>();

// What the cap asks of a counter, by shape: this package knows nothing of the cap.
const counters: { count(text: string): number }[] = [createUsageCounter(), createBpeCounter("o200k_base")];
counters.push(createUsageCounter().forTool("Read"));

// @ts-expect-error: a counter learns from a difference, not from a total.
createUsageCounter().learn({ inputTokens: 5 });
