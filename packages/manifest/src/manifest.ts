import type { Keep, ToolOutputLimits } from "@pod/tool-output-cap";

/** What `pod.toml` says, with every default filled in: plain, JSON-serialisable, deeply frozen data. */
export interface Manifest {
  readonly worker: {
    /** The section `worker.tool_output`, each limit in its own unit. Hand it to a worker as it is. */
    readonly toolOutput: ToolOutputLimits;
  };
}

/**
 * `unknown-key`: a key in `worker.tool_output` that has no meaning there. `near-miss`: a key elsewhere that looks like
 * `worker` or `tool_output`. `small-limit`: under 128 bytes or tokens. `large-limit`: over 1 MiB, or over 262,144 tokens.
 * `above-ceiling`: over the ceiling that the code sets, and its bytes lowered to it. `limit-above-budget`: over the turn
 * budget, so that no result can reach it.
 */
export type ManifestWarningCode =
  | "unknown-key"
  | "near-miss"
  | "small-limit"
  | "large-limit"
  | "above-ceiling"
  | "limit-above-budget";

/** Something in a manifest that is accepted but is probably not what was meant. Nothing prints it: show it to the user. */
export interface ManifestWarning {
  readonly code: ManifestWarningCode;
  /** The dotted path of the key, as TOML writes it: `worker.tool_output.per_tool."a.b"`; `overrides.perTool.Read` in code. */
  readonly path: string;
  /** One line: `file:line:column: warning: path: expected X, received Y. Write: …`. */
  readonly message: string;
  /** The file that holds the key; absent for overrides, built-in defaults, and a text without a name. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in UTF-16 code units. */
  readonly column?: number;
  /** The known key that was probably meant. */
  readonly nearest?: string;
}

/** Where a limit may be set, lowest first. `project` is also the text that `parseManifest` is given. */
export type LimitLayer = "built-in" | "user" | "project" | "override";

/** What one layer says of one limit. */
export interface LimitSource {
  readonly layer: LimitLayer;
  /** The file that says so; absent for overrides, built-in defaults, and a text without a name. */
  readonly file?: string;
  /** The line of the value in that file, from 1. */
  readonly line?: number;
  /** UTF-8 bytes; of a limit in tokens the ceiling, four times them. Absent where a tool's entry has only `keep`. */
  readonly maxBytes?: number;
  /** Tokens: there exactly where that is the unit of the limit. */
  readonly maxTokens?: number;
  /** What a cut keeps, where a tool's entry says it. */
  readonly keep?: Keep;
}

/** Which layer set a limit that is in force. */
export interface LimitOrigin extends LimitSource {
  /** The limit in force, in UTF-8 bytes; beside `maxTokens` its ceiling. */
  readonly maxBytes: number;
  /** The tool's entry has only `keep`: bytes and tokens are the default's, whose origin is `origins.default`. */
  readonly maxBytesIsDefault?: true;
  /** What lower layers say of the same limit, in their own figures; the highest of them first. */
  readonly overruled: readonly LimitSource[];
  /** The bytes that the layer says, where they are over the ceiling of the code. */
  readonly loweredFrom?: number;
}

/** What one layer says that a cut keeps, for all tools. */
export interface KeepSource {
  readonly layer: LimitLayer;
  /** The file that says so; absent for overrides, and for a text without a name. */
  readonly file?: string;
  /** The line of the value in that file, from 1. */
  readonly line?: number;
  readonly keep: Keep;
}

/** Which layer said what a cut keeps, for all tools whose entry does not say. */
export interface KeepOrigin extends KeepSource {
  /** What lower layers say; the highest of them first. */
  readonly overruled: readonly KeepSource[];
}

/**
 * The origins of all limits of a manifest: of the default, of the turn budget and of `keep` where they are set, and of each
 * entry in `perTool`, under the same name.
 */
export interface LimitOrigins {
  readonly default: LimitOrigin;
  readonly keep?: KeepOrigin;
  readonly turn?: LimitOrigin;
  readonly perTool: Readonly<Record<string, LimitOrigin>>;
}

/** A manifest that was read, and what its reader should be told. Deeply frozen; no two share an object. */
export interface ParsedManifest {
  readonly manifest: Manifest;
  /** Of the lowest layer first, in the order of a file's tables; empty where there is nothing to say. */
  readonly warnings: readonly ManifestWarning[];
  readonly origins: LimitOrigins;
}
