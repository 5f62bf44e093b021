import { countTokens } from "@pod/tool-output-cap/chokepoint";
import { receivedTexts, type ToolResult } from "./messages.js";
import type { ToolLimit } from "./tool-limit.js";

/** A result, and the limit of its call. */
export interface LimitedResult {
  readonly result: ToolResult;
  readonly limit: ToolLimit;
}

/** What the model may receive of a batch, in bytes or in tokens. Two texts of a result have a newline between them: 1. */
export interface Budget {
  readonly most: number;
  readonly measure: (text: string, limit: ToolLimit) => number;
  /** The limit of a result that gets so much. */
  readonly share: (limit: ToolLimit, most: number) => ToolLimit;
}

/** A budget in UTF-8 bytes. */
export function bytesBudget(maxBytes: number): Budget {
  return {
    most: maxBytes,
    measure: (text) => Buffer.byteLength(text),
    share: (limit, most) => ({ ...limit, maxBytes: most }),
  };
}

/** A budget in tokens, as the counter of each tool counts the texts of a result. */
export function tokensBudget(maxTokens: number): Budget {
  return {
    most: maxTokens,
    measure: (text, { counter }) => {
      const bytes = Buffer.byteLength(text);
      return counter === undefined ? bytes : countTokens(counter, text, bytes);
    },
    share: (limit, most) => ({ ...limit, maxTokens: Math.min(most, limit.maxTokens ?? most) }),
  };
}

/** What the model receives of a result, as the budget measures. */
export function measureReceived({ result, limit }: LimitedResult, { measure }: Budget): number {
  const texts = receivedTexts(result);
  return texts.reduce((total, text) => total + measure(text, limit), texts.length - 1);
}
