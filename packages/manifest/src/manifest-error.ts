/**
 * `missing-file`, `unreadable-file`, `irregular-file` (a link, a directory, a pipe …), `too-large` (over 1 MiB),
 * `not-utf8`: no text could be had from the file. `syntax`: the text is not TOML. `invalid-value`: a key of ours holds
 * what it must not.
 */
export type ManifestErrorCode =
  | "missing-file"
  | "unreadable-file"
  | "irregular-file"
  | "too-large"
  | "not-utf8"
  | "syntax"
  | "invalid-value";

/** One thing that is wrong in a manifest. */
export interface ManifestFault {
  readonly code: ManifestErrorCode;
  /** One line: `file:line:column: error: path: expected X, received Y. Write: …`. */
  readonly message: string;
  /** The dotted path of the key, as TOML writes it; absent where the fault is not in one key. */
  readonly path?: string;
  /** The file that has the fault; absent for overrides and for a text without a name. */
  readonly file?: string;
  /** From 1: where the value begins, or the key where that is what is wrong. */
  readonly line?: number;
  /** From 1, in UTF-16 code units. */
  readonly column?: number;
}

/**
 * A manifest that cannot be used. The message has one line for every fault. It holds no text of the file but keys and
 * values of `worker.tool_output`, each at most 80 characters: a manifest's other sections may hold secrets.
 */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  /** The code of the first fault. */
  readonly code: ManifestErrorCode;
  /** All of them, at least one: of the lowest layer first, in the order of a file's tables. */
  readonly faults: readonly ManifestFault[];

  constructor(code: ManifestErrorCode, faults: readonly ManifestFault[], options?: { readonly cause: unknown }) {
    super(faults.map((fault) => fault.message).join("\n"), options);
    this.code = code;
    this.faults = Object.freeze(faults.map((fault) => Object.freeze({ ...fault })));
  }
}
