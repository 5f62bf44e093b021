import { checkLoadOptions } from "./check-options.js";
import type { Environment } from "./find-manifest-files.js";
import type { Layer } from "./layer.js";
import { loadLayers } from "./load-layers.js";
import type { ParsedManifest } from "./manifest.js";
import { ManifestError } from "./manifest-error.js";
import { mergeLayers } from "./merge-layers.js";
import type { ManifestOverrides } from "./read-overrides.js";

/** Options of {@link loadManifest}. */
export interface LoadManifestOptions {
  /** Where the search for the project's file starts, and what `file` is relative to. Default: the working directory. */
  readonly cwd?: string;
  /** The project's file, which must exist then; without it the nearest `pod.toml` upward, which need not. */
  readonly file?: string;
  /** Limits that code sets over those of all files, checked like a file. */
  readonly overrides?: ManifestOverrides;
  /**
   * UTF-8 bytes that no limit exceeds, whichever layer sets it: a larger one is lowered, with a warning. Of a limit in tokens
   * it lowers the bytes, four times the tokens, and leaves the tokens.
   */
  readonly ceiling?: number;
  /** Where `XDG_CONFIG_HOME`, `HOME` (on Windows `APPDATA`, `USERPROFILE`) are looked up. Default: `process.env`. */
  readonly env?: Environment;
}

/**
 * Reads the manifest of a project in its layers, lowest first: the built-in defaults, the user's file
 * (`$XDG_CONFIG_HOME/pod/pod.toml`, else `~/.config/pod/pod.toml`, on Windows `%APPDATA%\pod\pod.toml`), the project's file
 * and the overrides. A higher layer overrules a lower one key by key, the entries of `per_tool` one by one, whatever the
 * unit of each.
 *
 * The project's file is the nearest `pod.toml` upward from `cwd`; the directory with `.git` and the home directory are the
 * last that are looked at. Only regular files of at most 1 MiB are read, in UTF-8 with or without a BOM.
 *
 * @throws ManifestError that lists every fault of every layer, also of limits that a higher layer overrules, and of files
 * that cannot be read; a file that is only searched for may be missing. TypeError or RangeError for a wrong argument.
 * All as a rejection.
 */
export async function loadManifest(options: LoadManifestOptions = {}): Promise<ParsedManifest> {
  const checked = checkLoadOptions(options);
  const layers = await loadLayers(checked);
  const error = joinErrors(layers);
  if (error !== undefined) throw error;
  return mergeLayers(layers, checked.ceiling);
}

/** The errors of all layers as one. */
export function joinErrors(layers: readonly Layer[]): ManifestError | undefined {
  const errors = layers.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const [first, ...others] = errors;
  if (first === undefined || others.length === 0) return first;
  return new ManifestError(
    first.code,
    errors.flatMap(({ faults }) => faults),
  );
}
