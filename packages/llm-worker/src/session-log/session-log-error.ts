/**
 * Of the file: `missing-directory` (none to be in), `missing-file` (nothing to repair), `irregular-file` (a link, a directory, a pipe …),
 * `inaccessible-file` (the system refuses), `not-a-session-log` (its first line is not one of ours), `newer-version`,
 * `corrupt-line` (in the middle: {@link repairSessionLog}), `changed-file` (something else wrote to it, cut it or
 * deleted it). Of the writers: `locked` (another holds it), `closed`. Of one append: `invalid-entry` (nothing was
 * written), `failed-write` (may be tried again).
 */
export type SessionLogErrorCode =
  | "missing-directory"
  | "missing-file"
  | "irregular-file"
  | "inaccessible-file"
  | "not-a-session-log"
  | "newer-version"
  | "corrupt-line"
  | "changed-file"
  | "locked"
  | "closed"
  | "invalid-entry"
  | "failed-write";

/** What is told of a fault beside its code. */
export interface SessionLogFault {
  readonly file: string;
  /** From 1, the line with the format version included. */
  readonly line?: number;
  readonly expected: string;
  readonly received: string;
  /** Ends the sentence `To mend it, …`. */
  readonly remedy: string;
  readonly cause?: unknown;
}

/** A session log that cannot be used. The message shows no text of the file: sessions hold secrets. */
export class SessionLogError extends Error {
  override readonly name = "SessionLogError";
  readonly code: SessionLogErrorCode;
  /** An absolute path. */
  readonly file: string;
  /** From 1, the line with the format version included; set where `code` is `corrupt-line`. */
  readonly line?: number;

  constructor(code: SessionLogErrorCode, fault: SessionLogFault) {
    const place = fault.line === undefined ? fault.file : `${fault.file}:${fault.line}`;
    super(
      `${place}: error: expected ${fault.expected}, received ${fault.received}. To mend it, ${fault.remedy}`,
      fault.cause === undefined ? undefined : { cause: fault.cause },
    );
    this.code = code;
    this.file = fault.file;
    if (fault.line !== undefined) this.line = fault.line;
  }
}

/** What the system says of a file that it does not let us have. */
export function explainFailure(file: string, cause: unknown): SessionLogError {
  if (cause instanceof SessionLogError) return cause;
  const received = readErrorCode(cause);
  if (received === "ENOTDIR") return missingDirectory(file, cause);
  if (received === "ENOENT") {
    const remedy = "give the path of a file that exists";
    return new SessionLogError("missing-file", { file, expected: "a file", received, remedy, cause });
  }
  if (received === "ELOOP") return irregularFile(file, "a symbolic link");
  const remedy = "allow this user to read and write the file and its directory";
  return new SessionLogError("inaccessible-file", { file, expected: "a file to use", received, remedy, cause });
}

/** A log makes no directory: a mistyped path would begin a new session unseen. */
export function missingDirectory(file: string, cause: unknown): SessionLogError {
  const received = readErrorCode(cause);
  const remedy = "make the directory first, or correct the path";
  return new SessionLogError("missing-directory", { file, expected: "a directory for it", received, remedy, cause });
}

/** What is no file of its own. */
export function irregularFile(file: string, received: string): SessionLogError {
  const remedy = "give the path of a regular file, or of one that is to be made";
  return new SessionLogError("irregular-file", { file, expected: "a regular file", received, remedy });
}

/** `ENOSPC` and the like; of an error without such a code its name. */
export function readErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
