/** The largest size that a text may have, marker included. */
export interface OutputLimit {
  /** UTF-8 bytes: an integer from 1 to 2,147,483,647. */
  readonly maxBytes: number;
  /**
   * Tokens: an integer from 1 to 2,147,483,647. A counter says what a text has; whatever it says, the text has at most
   * `maxBytes` and at most 4 bytes for each token of the limit.
   */
  readonly maxTokens?: number;
  /** Which part of a text that is too big stays. Absent: its head. */
  readonly keep?: Keep;
}

/** What a cut keeps of a text: its beginning, its end, or half of the room for each, with the marker between them. */
export type Keep = "head" | "tail" | "ends";

/** The limits of all tools: one default, and exceptions by tool name. */
export interface ToolOutputLimits {
  /** The limit in UTF-8 bytes of every tool that `perTool` does not name. */
  readonly defaultMaxBytes: number;
  /** The limit in tokens of every tool that `perTool` does not name, beside the one in bytes. Absent: bytes alone. */
  readonly defaultMaxTokens?: number;
  /** Keys are tool names, exactly; a number is `maxBytes`. */
  readonly perTool: Readonly<Record<string, number | OutputLimit>>;
  /** What a cut keeps for every tool whose entry in `perTool` does not say. Absent: the head. */
  readonly keep?: Keep;
  /**
   * What the model may receive of one batch, in UTF-8 bytes: an integer from 1,024 to 2,147,483,647. Absent: no limit of its own
   * beside those of the tools.
   */
  readonly turnMaxBytes?: number;
  /** The same in tokens: an integer from 256 to 2,147,483,647. Absent: no such limit. */
  readonly turnMaxTokens?: number;
}

/**
 * The limits of a worker that was given none: 16,384 UTF-8 bytes for every tool. At the density of path lists (1.8 bytes
 * a token) that is about 9,100 tokens, so that three such results in one request stay under 30,000 tokens a minute.
 */
export const DEFAULT_TOOL_OUTPUT_LIMITS: ToolOutputLimits = Object.freeze({
  defaultMaxBytes: 16_384,
  perTool: Object.freeze({}),
});
