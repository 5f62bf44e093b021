import type { Layer } from "../layer.js";
import type { LimitOrigin, LimitOrigins, LimitSource } from "../manifest.js";
import { mergeLayers } from "../merge-layers.js";
import { escapeUnprintable, quoteKey } from "../quote-text.js";
import { type CommandPlace, formatReport, readReport } from "./check-manifest.js";
import { formatJson } from "./format-json.js";
import type { OutputFormat } from "./parse-arguments.js";
import type { CommandResult } from "./run-command.js";

/** Tells of each limit which layer, file and line set it: one line a tool, or JSON. Of a faulty manifest it tells the faults. */
export async function explainManifest(
  options: {
    readonly file: string | undefined;
    readonly toolName: string | undefined;
    readonly format: OutputFormat;
  },
  place: CommandPlace,
): Promise<CommandResult> {
  const { file, toolName, format } = options;
  const report = await readReport(file, place);
  const { layers, errors, warnings } = report;
  const hasFaults = errors.length > 0;
  if (format === "json") {
    const data = hasFaults ? { errors, warnings } : selectOrigins(mergeLayers(layers).origins, toolName);
    return { stdout: formatJson(data), stderr: "", exitStatus: hasFaults ? 1 : 0 };
  }
  if (hasFaults) return { stdout: "", stderr: formatReport(report), exitStatus: 1 };
  const { origins } = mergeLayers(layers);
  const rows = toolName === undefined ? listRows(origins, layers) : [createRow(origins, toolName, layers)];
  const stderr = warnings.length === 0 ? "" : formatReport(report);
  return { stdout: formatRows(rows, layers), stderr, exitStatus: 0 };
}

interface Row {
  /** As the row begins. */
  readonly name: string;
  readonly origin: LimitOrigin;
  /** What is told of it beside what lower layers said. */
  readonly notes: readonly string[];
}

function selectOrigins(origins: LimitOrigins, toolName: string | undefined) {
  return toolName === undefined ? origins : { tool: toolName, ...(ownOrigin(origins, toolName) ?? origins.default) };
}

function listRows(origins: LimitOrigins, layers: readonly Layer[]): readonly Row[] {
  return [
    { name: "(default)", origin: origins.default, notes: [] },
    ...(origins.turn === undefined ? [] : [{ name: "(turn)", origin: origins.turn, notes: [] }]),
    ...Object.keys(origins.perTool).map((toolName) => createRow(origins, toolName, layers)),
  ];
}

function createRow(origins: LimitOrigins, toolName: string, layers: readonly Layer[]): Row {
  const name = quoteKey(toolName);
  const own = ownOrigin(origins, toolName);
  if (own === undefined) return { name, origin: origins.default, notes: ["the default"] };
  const place = formatPlace(origins.default, layers);
  return { name, origin: own, notes: [`default ${formatBytes(origins.default)} ${place}`] };
}

// Own properties only: a tool may be named `constructor`.
function ownOrigin({ perTool }: LimitOrigins, toolName: string): LimitOrigin | undefined {
  return Object.hasOwn(perTool, toolName) ? perTool[toolName] : undefined;
}

function formatRows(rows: readonly Row[], layers: readonly Layer[]): string {
  const sizes = rows.map(({ origin }) => `${formatBytes(origin)} bytes`);
  const nameWidth = rows.reduce((width, { name }) => Math.max(width, name.length), 0);
  const sizeWidth = sizes.reduce((width, size) => Math.max(width, size.length), 0);
  const lines = rows.map(({ name, origin, notes }, index) => {
    const size = sizes[index]?.padStart(sizeWidth);
    const said = origin.overruled.map((source) => `${formatPlace(source, layers)} said ${formatBytes(source)}`);
    const remarks = [...notes, ...said].join("; ");
    const place = formatPlace(origin, layers);
    return `${name.padEnd(nameWidth)}  ${size}  ${place}${remarks === "" ? "" : `  (${remarks})`}\n`;
  });
  return lines.join("");
}

function formatPlace({ layer, file, line }: LimitSource, layers: readonly Layer[]): string {
  if (layer === "built-in") return "built in";
  const shownFile = layers.find((each) => each.layer === layer)?.shownFile ?? file ?? "";
  return `${escapeUnprintable(shownFile)}${line === undefined ? "" : `:${line}`}`;
}

function formatBytes({ maxBytes }: LimitSource): string {
  return maxBytes.toLocaleString("en-US");
}
