import type { LimitOrigins } from "../manifest.js";
import { mergeLayers } from "../merge-layers.js";
import { type CommandPlace, formatReport, readReport } from "./check-manifest.js";
import { createRows, createToolRow, formatRows, ownOrigin } from "./explain-rows.js";
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
  const rows = toolName === undefined ? createRows(origins, layers) : [createToolRow(origins, toolName, layers)];
  const stderr = warnings.length === 0 ? "" : formatReport(report);
  return { stdout: formatRows(rows), stderr, exitStatus: 0 };
}

/** Of a tool, also who said what a cut of its output keeps, where its entry does not. */
function selectOrigins(origins: LimitOrigins, toolName: string | undefined) {
  if (toolName === undefined) return origins;
  const origin = ownOrigin(origins, toolName) ?? origins.default;
  const isInherited = origin.keep === undefined && origins.keep !== undefined;
  return { tool: toolName, ...origin, ...(isInherited ? { keepOrigin: origins.keep } : {}) };
}
