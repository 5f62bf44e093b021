import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

/** At once or later. */
export type MaybePromise<T> = T | Promise<T>;

/** A plain JSON Schema (draft 2020-12 unless it says otherwise). */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A Standard Schema that can also state itself as JSON Schema (zod 4.2 and later, and others). */
export interface StandardInputSchema {
  readonly "~standard": StandardSchemaV1.Props & StandardJSONSchemaV1.Props;
}

/** A Standard Schema validates in its own code; a plain JSON Schema is checked without eval. */
export type ToolInputSchema = StandardInputSchema | JsonSchema;

/** What a tool returns. Content that is not a string is serialised. */
export interface ToolOutput {
  /** One or two lines that always stay. */
  readonly summary: string;
  readonly content?: unknown;
}

/** What a tool learns of the call beside its input. */
export interface ToolContext {
  readonly toolCallId: string;
  /** Aborted when the run is cancelled and when this call's own time is over. */
  readonly signal: AbortSignal;
}

/** Something that the model can ask for. Its output may be of any size: the worker caps it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ToolInputSchema;
  /** Milliseconds that one call may take; without it the worker's `toolTimeoutMs`. */
  readonly timeoutMs?: number;
  /**
   * Set where running a call twice does no more than running it once: then a call that had started when the process died
   * runs again on resume. Else its outcome counts as unknown.
   */
  readonly idempotent?: boolean;
  /** Given the input as its schema leaves it. What it throws becomes a result that is an error. */
  execute(input: unknown, context: ToolContext): MaybePromise<ToolOutput | string>;
}
