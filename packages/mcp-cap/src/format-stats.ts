import type { CallStats, ToolStats } from "./call-stats.js";
import { printName } from "./print-name.js";

const HEAD: readonly string[] = ["tool", "calls", "capped", "largest", "bytes in", "bytes out"];

/** The table of `--stats`: a line per tool, and one of their sum. */
export function formatStats(stats: CallStats): string {
  const rows = stats.list();
  const sum: ToolStats = { calls: 0, cappedCalls: 0, largestBytes: 0, bytesIn: 0, bytesOut: 0 };
  for (const [, row] of rows) {
    sum.calls += row.calls;
    sum.cappedCalls += row.cappedCalls;
    sum.largestBytes = Math.max(sum.largestBytes, row.largestBytes);
    sum.bytesIn += row.bytesIn;
    sum.bytesOut += row.bytesOut;
  }
  const cells = [HEAD, ...rows.map(([name, row]) => listCells(printName(name), row)), listCells("(all)", sum)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
  return `${lines.join("\n")}\n`;
}

function listCells(name: string, row: Readonly<ToolStats>): readonly string[] {
  const numbers = [row.calls, row.cappedCalls, row.largestBytes, row.bytesIn, row.bytesOut];
  return [name, ...numbers.map((number) => number.toLocaleString("en-US"))];
}
