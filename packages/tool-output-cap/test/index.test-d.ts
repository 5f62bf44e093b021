// Checked by tsc alone: a signature that changes does not compile here.
import type { ceilingOf, countTokens, matchTruncation, prependContent } from "../src/chokepoint.js";
import type {
  CapOptions,
  CappedText,
  Keep,
  OutputLimit,
  TokenCounter,
  TokenTruncation,
  ToolOutputLimits,
  Truncation,
  UnknownTool,
} from "../src/index.js";
import {
  capText,
  capToolResult,
  type DEFAULT_TOOL_OUTPUT_LIMITS,
  type findUnknownTools,
  type formatMarker,
  type resolveLimit,
} from "../src/index.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

assertType<Same<typeof capText, (text: string, limit: OutputLimit, options?: CapOptions) => CappedText>>();
assertType<Same<typeof resolveLimit, (limits: ToolOutputLimits, toolName: string) => OutputLimit>>();
assertType<Same<typeof formatMarker, (droppedBytes: number) => string>>();
assertType<Same<typeof matchTruncation, (content: string | undefined, record: unknown) => Truncation | undefined>>();
assertType<Same<typeof ceilingOf, (limit: OutputLimit) => number>>();
assertType<Same<typeof countTokens, (counter: TokenCounter, text: string, textBytes: number) => number>>();
assertType<
  Same<typeof findUnknownTools, (limits: ToolOutputLimits, toolNames: Iterable<string>) => readonly UnknownTool[]>
>();
assertType<Same<typeof DEFAULT_TOOL_OUTPUT_LIMITS, ToolOutputLimits>>();
assertType<
  Same<
    typeof capToolResult,
    <R extends { content?: string; truncation?: Truncation }>(result: R, limit: OutputLimit, options?: CapOptions) => R
  >
>();
assertType<
  Same<
    typeof prependContent,
    <R extends { content?: string; truncation?: Truncation }>(
      result: R,
      text: string,
      limit: OutputLimit,
      options?: CapOptions,
    ) => R
  >
>();

assertType<Same<Keep, "head" | "tail" | "ends">>();
assertType<Same<OutputLimit, { readonly maxBytes: number; readonly maxTokens?: number; readonly keep?: Keep }>>();
assertType<
  Same<
    ToolOutputLimits,
    {
      readonly defaultMaxBytes: number;
      readonly defaultMaxTokens?: number;
      readonly perTool: Readonly<Record<string, number | OutputLimit>>;
      readonly keep?: Keep;
      readonly turnMaxBytes?: number;
      readonly turnMaxTokens?: number;
    }
  >
>();
assertType<
  Same<
    Truncation,
    {
      readonly maxBytes: number;
      readonly originalBytes: number;
      readonly keptBytes: number;
      readonly droppedBytes: number;
      readonly tokens?: TokenTruncation;
      readonly keep?: Keep;
      readonly reason?: "turn-budget";
    }
  >
>();
assertType<
  Same<
    TokenTruncation,
    {
      readonly maxTokens: number;
      readonly originalTokens: number;
      readonly keptTokens: number;
      readonly droppedTokens: number;
      readonly estimated: boolean;
    }
  >
>();
assertType<Same<TokenCounter, { count(text: string): number }>>();
assertType<Same<CapOptions, { readonly counter?: TokenCounter | undefined }>>();
assertType<Same<CappedText, { readonly text: string; readonly truncation?: Truncation }>>();
assertType<Same<UnknownTool, { readonly name: string; readonly nearest?: string }>>();

const capped = capToolResult({ content: "x", isError: false, extra: 1 }, { maxBytes: 1 });
assertType<Same<typeof capped, { content: string; isError: boolean; extra: number }>>();

// @ts-expect-error: a bare number is not a limit.
capText("x", 16_384);
// @ts-expect-error: content is a string.
capToolResult({ content: 5 }, { maxBytes: 1 });
// @ts-expect-error: a result cannot be changed through its type.
capText("x", { maxBytes: 1 }).text = "y";
