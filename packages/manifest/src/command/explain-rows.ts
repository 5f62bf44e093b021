import type { Keep } from "@pod/tool-output-cap";
import type { Layer } from "../layer.js";
import type { KeepOrigin, KeepSource, LimitOrigin, LimitOrigins, LimitSource } from "../manifest.js";
import { escapeUnprintable, quoteKey } from "../quote-text.js";

/** What `explain` says of one limit: its columns, each fit for a terminal. */
export interface ExplainRow {
  readonly name: string;
  readonly bytes: string;
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
  const [nameWidth, bytesWidth, keepWidth] = [widthOf("name"), widthOf("bytes"), widthOf("keep")];
  const lines = rows.map(({ name, bytes, keep, place, remarks }) => {
    const columns = [name.padEnd(nameWidth), bytes.padStart(bytesWidth)];
    if (keepWidth > 0) columns.push(keep.padEnd(keepWidth));
    return `${[...columns, place, ...(remarks === "" ? [] : [`(${remarks})`])].join("  ")}\n`;
  });
  return lines.join("");
}

function describeDefault(own: LimitOrigin, ofDefault: LimitOrigin, layers: readonly Layer[]): string {
  const place = formatPlace(ofDefault, layers);
  return own.maxBytesIsDefault
    ? `bytes of the default, ${place}`
    : `default ${formatCount(ofDefault.maxBytes)} ${place}`;
}

function createRow(
  name: string,
  origin: LimitOrigin | KeepOrigin,
  notes: readonly string[],
  layers: readonly Layer[],
): ExplainRow {
  const { maxBytes, keep }: Said = origin;
  const said = origin.overruled.map((source) => `${formatPlace(source, layers)} said ${formatSaid(source)}`);
  return {
    name,
    bytes: maxBytes === undefined ? "" : `${formatCount(maxBytes)} bytes`,
    keep: keep ?? "",
    place: formatPlace(origin, layers),
    remarks: [...notes, ...said].join("; "),
  };
}

interface Said {
  readonly maxBytes?: number;
  readonly keep?: Keep;
}

function formatSaid({ maxBytes, keep }: Said): string {
  return [maxBytes === undefined ? "" : formatCount(maxBytes), keep ?? ""].filter((part) => part !== "").join(", ");
}

function formatPlace({ layer, file, line }: LimitSource | KeepSource, layers: readonly Layer[]): string {
  if (layer === "built-in") return "built in";
  const shownFile = layers.find((each) => each.layer === layer)?.shownFile ?? file ?? "";
  return `${escapeUnprintable(shownFile)}${line === undefined ? "" : `:${line}`}`;
}

function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
