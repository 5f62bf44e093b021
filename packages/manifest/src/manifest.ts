import type { ToolOutputLimits } from "@pod/tool-output-cap";

/** What `pod.toml` says, with every default filled in: plain, JSON-serialisable, deeply frozen data. */
export interface Manifest {
  readonly worker: {
    /** The section `worker.tool_output`, in UTF-8 bytes. Hand it to a worker as it is. */
    readonly toolOutput: ToolOutputLimits;
  };
}

/**
 * `unknown-key`: a key in `worker.tool_output` that has no meaning there. `near-miss`: a key elsewhere that looks like
 * `worker` or `tool_output`. `small-limit`: under 128 bytes. `large-limit`: over 1 MiB.
 */
export type ManifestWarningCode = "unknown-key" | "near-miss" | "small-limit" | "large-limit";

/** Something in a manifest that is accepted but is probably not what was meant. Nothing prints it: show it to the user. */
export interface ManifestWarning {
  readonly code: ManifestWarningCode;
  /** The dotted path of the key, as TOML writes it: `worker.tool_output.per_tool."a.b"`. */
  readonly path: string;
  /** One line: `file: warning: path: expected X, received Y. Write: …`. */
  readonly message: string;
  /** The known key that was probably meant. */
  readonly nearest?: string;
}

/** A manifest that was read, and what its reader should be told. Deeply frozen; no two share an object. */
export interface ParsedManifest {
  readonly manifest: Manifest;
  /** In the order of the file's tables; empty where there is nothing to say. */
  readonly warnings: readonly ManifestWarning[];
}
