import type { Position } from "./locate-keys.js";
import { escapeUnprintable } from "./quote-text.js";

/** What a fault and a warning are made of. Every part but `shownFile` is already fit to be shown. */
export interface Finding {
  readonly severity: "error" | "warning";
  /** The file as messages name it, or what stands for it: `<toml>`. */
  readonly shownFile: string;
  readonly position?: Position | undefined;
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
  const place = position === undefined ? "" : `:${position.line}:${position.column}`;
  const subject = path === undefined ? "" : `${path}: `;
  return `${escapeUnprintable(finding.shownFile)}${place}: ${finding.severity}: ${subject}expected ${finding.expected}, received ${finding.received}. Write: ${finding.remedy}`;
}
