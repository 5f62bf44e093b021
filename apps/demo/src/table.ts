import { cellsOf, REQUEST_HEADS } from "./request-cells.js";
import type { RunRecord } from "./run-record.js";

interface Tabled {
  readonly limitTokensPerMinute: number | null;
  readonly runs: readonly RunRecord<string>[];
}

const GAP = "   ";

/** Runs side by side, a line for each request, as aligned plain text. */
export function formatTable({ limitTokensPerMinute, runs }: Tabled): string {
  const columns = runs.map(({ name, requests }) => {
    const cells = [REQUEST_HEADS, ...requests.map((request) => cellsOf(request, limitTokensPerMinute))];
    return [name, ...alignCells(cells)];
  });
  const height = Math.max(...columns.map((lines) => lines.length));
  const widths = columns.map((lines) => Math.max(...lines.map((line) => line.length)));
  return Array.from({ length: height }, (_, row) =>
    [row < 2 ? "" : String(row - 1), ...columns.map((lines) => lines[row] ?? "")]
      .map((text, place) => (place === 0 ? text.padStart(2) : text.padEnd(widths[place - 1] ?? 0)))
      .join(GAP)
      .trimEnd(),
  ).join("\n");
}

/** Numbers to the right, the last column to the left. */
function alignCells(rows: readonly (readonly string[])[]): string[] {
  const widths = REQUEST_HEADS.map((_, place) => Math.max(...rows.map((row) => row[place]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, place) => (place === row.length - 1 ? cell : cell.padStart(widths[place] ?? 0))).join("  "),
  );
}
