import type { RequestRecord } from "./record-run.js";
import type { Replay } from "./replay.js";

const HEAD = ["bytes", "tokens", "of limit", "answer"];
const GAP = "   ";

/** Both runs side by side, a line for each request, as aligned plain text. */
export function formatTable({ limitTokensPerMinute, runs }: Replay): string {
  const columns = runs.map(({ name, requests }) => {
    const cells = [HEAD, ...requests.map((request) => cellsOf(request, limitTokensPerMinute))];
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

function cellsOf({ bytes, inputTokens, answer }: RequestRecord, limitTokensPerMinute: number): string[] {
  const share = Math.round((inputTokens / limitTokensPerMinute) * 100);
  return [bytes.toLocaleString("en-US"), inputTokens.toLocaleString("en-US"), `${share} %`, answer];
}

/** Numbers to the right, the last column to the left. */
function alignCells(rows: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, place) => Math.max(...rows.map((row) => row[place]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, place) => (place === row.length - 1 ? cell : cell.padStart(widths[place] ?? 0))).join("  "),
  );
}
