import { escapeUnprintable } from "./quote-text.js";

/** What a fault and a warning are made of. Every part but `file` is already fit to be shown. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly file: string | undefined;
  readonly position?: { readonly line: number; readonly column: number };
  /** The dotted path of a key. */
  readonly path?: string;
  readonly expected: string;
  readonly received: string;
  /** What to write instead. */
  readonly remedy: string;
}

/** The one line that says what is wrong, where, and how to mend it. */
export function formatFinding(finding: Finding): string {
  const { position, path } = finding;
  const file = finding.file === undefined ? "<toml>" : escapeUnprintable(finding.file);
  const place = position === undefined ? "" : `:${position.line}:${position.column}`;
  const subject = path === undefined ? "" : `${path}: `;
  return `${file}${place}: ${finding.severity}: ${subject}expected ${finding.expected}, received ${finding.received}. Write: ${finding.remedy}`;
}
