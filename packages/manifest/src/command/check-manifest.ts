import { checkLoadOptions } from "../check-options.js";
import type { Environment } from "../find-manifest-files.js";
import { findWarnings } from "../find-warnings.js";
import type { Layer } from "../layer.js";
import { loadLayers } from "../load-layers.js";
import { joinErrors } from "../load-manifest.js";
import type { ManifestWarning } from "../manifest.js";
import { ManifestError, type ManifestFault } from "../manifest-error.js";
import { formatJson } from "./format-json.js";
import type { OutputFormat } from "./parse-arguments.js";
import type { CommandResult } from "./run-command.js";

/** Where the command is run. */
export interface CommandPlace {
  readonly cwd: string;
  readonly env: Environment;
}

/** The layers of a manifest, and what is wrong and odd in them, faults first. */
export interface ManifestReport {
  readonly layers: readonly Layer[];
  readonly errors: readonly ManifestFault[];
  readonly warnings: readonly ManifestWarning[];
}

/** Tells every fault and warning: as a compiler would, or as JSON. */
export async function checkManifest(
  { file, format }: { readonly file: string | undefined; readonly format: OutputFormat },
  place: CommandPlace,
): Promise<CommandResult> {
  const report = await readReport(file, place);
  const { errors, warnings } = report;
  const exitStatus = errors.length === 0 ? 0 : 1;
  if (format === "text") return { stdout: "", stderr: formatReport(report), exitStatus };
  return { stdout: formatJson({ errors, warnings }), stderr: "", exitStatus };
}

/** Reads all layers, faulty ones too. */
export async function readReport(file: string | undefined, { cwd, env }: CommandPlace): Promise<ManifestReport> {
  try {
    const layers = await loadLayers(checkLoadOptions({ file, cwd, env }));
    return { layers, errors: joinErrors(layers)?.faults ?? [], warnings: findWarnings(layers) };
  } catch (error) {
    if (error instanceof ManifestError) return { layers: [], errors: error.faults, warnings: [] };
    throw error;
  }
}

/** One line for each fault and each warning, and their count. */
export function formatReport({ errors, warnings }: ManifestReport): string {
  const count = `${formatCount(errors.length, "error")}, ${formatCount(warnings.length, "warning")}`;
  return [...errors.map(({ message }) => message), ...warnings.map(({ message }) => message), count, ""].join("\n");
}

function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
