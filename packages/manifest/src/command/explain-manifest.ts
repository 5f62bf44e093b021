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
  const rows = toolName === undefined ? listRows(origins) : [createRow(origins, toolName)];
  const stderr = warnings.length === 0 ? "" : formatReport(report);
  return { stdout: formatRows(rows, origins, layers), stderr, exitStatus: 0 };
}

interface Row {
  /** Undefined for the default itself. */
  readonly toolName: string | undefined;
  readonly origin: LimitOrigin;
  readonly isOwn: boolean;
}

function selectOrigins(origins: LimitOrigins, toolName: string | undefined) {
  return toolName === undefined ? origins : { tool: toolName, ...createRow(origins, toolName).origin };
}

function listRows(origins: LimitOrigins): readonly Row[] {
  const tools = Object.entries(origins.perTool).map(([toolName, origin]) => ({ toolName, origin, isOwn: true }));
  return [{ toolName: undefined, origin: origins.default, isOwn: true }, ...tools];
}

function createRow(origins: LimitOrigins, toolName: string): Row {
  // Own properties only: a tool may be named `constructor`.
  const own = Object.hasOwn(origins.perTool, toolName) ? origins.perTool[toolName] : undefined;
  return { toolName, origin: own ?? origins.default, isOwn: own !== undefined };
}

function formatRows(rows: readonly Row[], origins: LimitOrigins, layers: readonly Layer[]): string {
  const cells = rows.map(({ toolName, origin }) => ({
    name: toolName === undefined ? "(default)" : quoteKey(toolName),
    bytes: `${formatBytes(origin)} bytes`,
  }));
  const nameWidth = cells.reduce((width, { name }) => Math.max(width, name.length), 0);
  const bytesWidth = cells.reduce((width, { bytes }) => Math.max(width, bytes.length), 0);
  const lines = rows.map((row, index) => {
    const { name = "", bytes = "" } = cells[index] ?? {};
    const notes = listNotes(row, origins, layers).join("; ");
    const place = formatPlace(row.origin, layers);
    return `${name.padEnd(nameWidth)}  ${bytes.padStart(bytesWidth)}  ${place}${notes === "" ? "" : `  (${notes})`}\n`;
  });
  return lines.join("");
}

function listNotes({ toolName, origin, isOwn }: Row, origins: LimitOrigins, layers: readonly Layer[]) {
  const ofDefault = `default ${formatBytes(origins.default)} ${formatPlace(origins.default, layers)}`;
  return [
    ...(isOwn ? [] : ["the default"]),
    ...(isOwn && toolName !== undefined ? [ofDefault] : []),
    ...origin.overruled.map((source) => `${formatPlace(source, layers)} said ${formatBytes(source)}`),
  ];
}

function formatPlace({ layer, file, line }: LimitSource, layers: readonly Layer[]): string {
  if (layer === "built-in") return "built in";
  const shownFile = layers.find((each) => each.layer === layer)?.shownFile ?? file ?? "";
  return `${escapeUnprintable(shownFile)}${line === undefined ? "" : `:${line}`}`;
}

function formatBytes({ maxBytes }: LimitSource): string {
  return maxBytes.toLocaleString("en-US");
}
