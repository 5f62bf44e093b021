// Checked by tsc alone: a signature that changes does not compile here.
import { createTokenEstimator, type RequestSize, type TokenEstimator } from "../src/index.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

assertType<Same<typeof createTokenEstimator, () => TokenEstimator>>();
assertType<
  Same<RequestSize, { readonly textBytes: number; readonly opaqueBytes: number; readonly preambleBytes: number }>
>();
assertType<Same<keyof TokenEstimator, "report" | "estimate" | "bytesFor">>();
assertType<Same<TokenEstimator["report"], (size: RequestSize, inputTokens: number) => void>>();
assertType<Same<TokenEstimator["estimate"], (size: RequestSize) => number>>();
assertType<Same<TokenEstimator["bytesFor"], (tokens: number) => number>>();

// @ts-expect-error: a bare number is no size.
createTokenEstimator().estimate(5);
