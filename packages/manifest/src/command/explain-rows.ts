import type { Keep } from "@pod/tool-output-cap";
import type { Layer } from "../layer.js";
import { unitOf } from "../limit-values.js";
import type { KeepOrigin, KeepSource, LimitOrigin, LimitOrigins, LimitSource } from "../manifest.js";
import { escapeUnprintable, quoteKey } from "../quote-text.js";

/** What `explain` says of one limit: its columns, each fit for a terminal. */
export interface ExplainRow {
  readonly name: string;
  readonly amount: string;
  readonly unit: string;
  readonly keep: string;
  /** Who set it. */
  readonly place: string;
  /** Empty where there is nothing to add. */
  readonly remarks: string;
}

/** The rows of all limits: of the default first, of the tools last. */
export function createRows(origins: LimitOrigins, layers: readonly Layer[]): readonly ExplainRow[] {
  const { keep, turn } = origins;
  return [
    createRow("(default)", origins.default, [], layers),
    ...(turn === undefined ? [] : [createRow("(turn)", turn, [], layers)]),
    ...(keep === undefined ? [] : [createRow("(keep)", keep, [], layers)]),
    ...Object.keys(origins.perTool).map((toolName) => createToolRow(origins, toolName, layers)),
  ];
}

/** The row of one tool, whether it has an entry of its own or not. */
export function createToolRow(origins: LimitOrigins, toolName: string, layers: readonly Layer[]): ExplainRow {
  const own = ownOrigin(origins, toolName);
  const origin = own ?? origins.default;
  const inherited = origin.keep === undefined ? origins.keep : undefined;
  const shown = inherited === undefined ? origin : { ...origin, keep: inherited.keep };
  const notes = [
    own === undefined ? "the default" : describeDefault(own, origins.default, layers),
    ...(inherited === undefined ? [] : [`keep ${formatPlace(inherited, layers)}`]),
  ];
  return createRow(quoteKey(toolName), shown, notes, layers);
}

/** The origin of a tool's own entry. Own properties only: a tool may be named `constructor`. */
export function ownOrigin({ perTool }: LimitOrigins, toolName: string): LimitOrigin | undefined {
  return Object.hasOwn(perTool, toolName) ? perTool[toolName] : undefined;
}

/** One line a row, in columns as wide as they have to be; a column without a word in it is left out. */
export function formatRows(rows: readonly ExplainRow[]): string {
  const widthOf = (column: keyof ExplainRow) => rows.reduce((width, row) => Math.max(width, row[column].length), 0);
  const [nameWidth, amountWidth, unitWidth, keepWidth] = [
    widthOf("name"),
    widthOf("amount"),
    widthOf("unit"),
    widthOf("keep"),
  ];
  const lines = rows.map(({ name, amount, unit, keep, place, remarks }) => {
    const columns = [name.padEnd(nameWidth), `${amount.padStart(amountWidth)} ${unit.padEnd(unitWidth)}`];
    if (keepWidth > 0) columns.push(keep.padEnd(keepWidth));
    return `${[...columns, place, ...(remarks === "" ? [] : [`(${remarks})`])].join("  ")}\n`;
  });
  return lines.join("");
}

function describeDefault(own: LimitOrigin, ofDefault: LimitOrigin, layers: readonly Layer[]): string {
  const place = formatPlace(ofDefault, layers);
  return own.maxBytesIsDefault
    ? `${unitOf(own)} of the default, ${place}`
    : `default ${formatSaid({ ...ofDefault, keep: undefined })} ${place}`;
}

function createRow(
  name: string,
  origin: LimitOrigin | KeepOrigin,
  notes: readonly string[],
  layers: readonly Layer[],
): ExplainRow {
  const { maxBytes, maxTokens, keep }: Said = origin;
  const count = maxTokens ?? maxBytes;
  const said = origin.overruled.map((source) => `${formatPlace(source, layers)} said ${formatSaid(source)}`);
  return {
    name,
    amount: count === undefined ? "" : formatCount(count),
    unit: count === undefined ? "" : unitOf({ maxTokens }),
    keep: keep ?? "",
    place: formatPlace(origin, layers),
    remarks: [...notes, ...said].join("; "),
  };
}

interface Said {
  readonly maxBytes?: number;
  readonly maxTokens?: number | undefined;
  readonly keep?: Keep | undefined;
}

function formatSaid({ maxBytes, maxTokens, keep }: Said): string {
  const count = maxTokens ?? maxBytes;
  const amount = count === undefined ? "" : `${formatCount(count)} ${unitOf({ maxTokens })}`;
  return [amount, keep ?? ""].filter((part) => part !== "").join(", ");
}

function formatPlace({ layer, file, line }: LimitSource | KeepSource, layers: readonly Layer[]): string {
  if (layer === "built-in") return "built in";
  const shownFile = layers.find((each) => each.layer === layer)?.shownFile ?? file ?? "";
  return `${escapeUnprintable(shownFile)}${line === undefined ? "" : `:${line}`}`;
}

function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
