// Checked by tsc alone: a signature that changes does not compile here.
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { OutputLimit, Truncation } from "../../src/index.js";
import {
  type CallToolResultOptions,
  type CallToolResultTruncation,
  type ContentTruncation,
  capCallToolResult,
  type capJsonRpcError,
  type JsonNumber,
} from "../../src/mcp.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

assertType<Same<typeof capCallToolResult, <R>(result: R, limit: OutputLimit, options?: CallToolResultOptions) => R>>();
assertType<Same<typeof capJsonRpcError, <E>(error: E, limit: OutputLimit) => E>>();
assertType<Same<CallToolResultOptions, { readonly maxMediaBytes?: number }>>();
assertType<
  Same<CallToolResultTruncation, { readonly content?: ContentTruncation; readonly structuredContent?: Truncation }>
>();
assertType<Same<JsonNumber["source"], string>>();

/** What the SDK's client returns fits as it is. */
export function cap(result: CallToolResult): CallToolResult {
  return capCallToolResult(result, { maxBytes: 8_192, keep: "tail" });
}

// @ts-expect-error: a bare number is not a limit.
capCallToolResult({}, 16_384);
