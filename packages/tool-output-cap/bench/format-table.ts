import { aloneName, capName, tailName } from "./candidates.js";
import { findDifferences } from "./find-differences.js";
import type { Verdict } from "./judge-ratios.js";
import { PEERS } from "./peers.js";
import { microsOf, ratioOf, type Timings } from "./timings.js";

/** The one table, as Markdown: times of the floor and of ours in microseconds, everything else as ratios. */
export function formatTable(all: readonly Timings[]): string {
  const header = [
    "text",
    "size",
    "string",
    "floor µs",
    "head µs",
    "head / floor",
    "tail / head",
    "ends / head",
    ...PEERS.flatMap(({ name, keepTail }) => [`${name} / head`, ...(keepTail ? [`${name} of the tail / tail`] : [])]),
  ];
  const rows = all.map((timings) => {
    const { kind, size, form } = timings.textCase;
    const cell = (name: string, base: string) => formatRatio(timings, name, base);
    return [
      kind,
      size,
      form,
      formatNumber(microsOf(timings, "floor")),
      formatNumber(microsOf(timings, "head")),
      cell("head", "floor"),
      cell("tail", "head"),
      cell("ends", "head"),
      ...PEERS.flatMap(({ name, keepTail }) => [
        `${cell(capName(name), "head")} (${cell(aloneName(name), "head")})`,
        ...(keepTail ? [cell(tailName(name), "tail")] : []),
      ]),
    ];
  });
  return alignColumns([header, ...rows]);
}

/** What one must know to read the table. */
export function readTableNotes(): readonly string[] {
  return [
    "`floor` counts the bytes with `Buffer.byteLength` and, where the text is cut, makes one joined copy of the kept part; head, tail and ends are `capText`.",
    "A peer's ratio is that of the cap that it takes to give the same result as ours (well-formed, counted, marked), and in brackets that of the peer alone, which only cuts: it counts nothing, so that it need not look at the whole text. Above 1, ours is faster.",
    "`-`: not run, because one call on the flat text took more than 60 ms, the one that stands in brackets there.",
    ...findDifferences(),
  ];
}

/** What the gate says: the ratios that are missed, and how many hold. */
export function formatVerdicts(verdicts: readonly Verdict[]): string {
  const missed = verdicts.filter(({ holds }) => !holds);
  const lines = missed.map(({ what, ratio, bound }) => `missed: ${what}: ${ratio.toFixed(2)}, ${bound}`);
  return [...lines, `${verdicts.length - missed.length} ratios hold, ${missed.length} missed`].join("\n");
}

function formatRatio(timings: Timings, name: string, base: string): string {
  if (!timings.micros.has(name)) return "-";
  return formatNumber(ratioOf(timings, name, base));
}

/** In three digits or more. */
function formatNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return value.toFixed(value < 10 ? 2 : 1);
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isText = (column: number) => column < 3;
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `| ${widths.map((width, column) => (isText(column) ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  const [header = [], ...body] = rows;
  return [line(header), rule, ...body.map(line)].join("\n");
}
