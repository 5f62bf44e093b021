/**
 * As much of an AI SDK language model as this package uses: what specifications v3 and v4 have in common. A model of
 * any provider package for AI SDK 6 (`LanguageModelV3`) or 7 (`LanguageModelV4`) is one.
 */
export interface LanguageModel {
  readonly specificationVersion: "v3" | "v4";
  readonly provider: string;
  readonly modelId: string;
  doStream(options: LanguageModelCallOptions): PromiseLike<LanguageModelStreamResult>;
}

/** What a model is asked. Messages and tools have the shapes of `LanguageModelV3Prompt` and `LanguageModelV3FunctionTool`. */
export interface LanguageModelCallOptions {
  readonly prompt: readonly object[];
  readonly tools?: readonly object[];
  readonly abortSignal?: AbortSignal;
  readonly includeRawChunks?: boolean;
}

/** What a model answers with, once the provider has accepted the request. */
export interface LanguageModelStreamResult {
  /** A `ReadableStream`. */
  readonly stream: { getReader(): LanguageModelStreamReader };
  readonly response?: { readonly headers?: Readonly<Record<string, string>> };
}

/** The reader of that stream: as much of `ReadableStreamDefaultReader` as is used. `cancel` ends a read that is waiting. */
export interface LanguageModelStreamReader {
  read(): Promise<{ readonly done: boolean; readonly value?: LanguageModelStreamPart | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** One part of the stream; `type` says what else it has. Parts of an unknown type are left out. */
export interface LanguageModelStreamPart {
  readonly type: string;
}
