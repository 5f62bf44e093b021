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

export interface LanguageModelStreamResult {
  /** A `ReadableStream`. */
  readonly stream: { getReader(): LanguageModelStreamReader };
  readonly response?: { readonly headers?: Readonly<Record<string, string>> };
}

export interface LanguageModelStreamReader {
  read(): Promise<{ readonly done: boolean; readonly value?: LanguageModelStreamPart | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

export interface LanguageModelStreamPart {
  readonly type: string;
}
