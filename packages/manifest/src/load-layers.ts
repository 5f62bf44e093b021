import { resolve } from "node:path";
import type { CheckedLoadOptions } from "./check-options.js";
import { findHome, findProjectFile, findUserFile, isSameFile } from "./find-manifest-files.js";
import type { Layer } from "./layer.js";
import { ManifestError } from "./manifest-error.js";
import { createFileError, type FileSource, readManifestFile } from "./read-manifest-file.js";
import { readOverrides } from "./read-overrides.js";
import { readTomlLayer } from "./read-toml-layer.js";
import { shortenPath } from "./shorten-path.js";

/** The layers that are there, the lowest first, faulty ones too. */
export async function loadLayers(options: CheckedLoadOptions): Promise<readonly Layer[]> {
  const [userFile, projectFile] = await findFiles(options);
  const layers = await Promise.all([userFile && readFileLayer(userFile), projectFile && readFileLayer(projectFile)]);
  const found = layers.filter((layer) => layer !== undefined);
  return options.overrides === undefined ? found : [...found, readOverrides(options.overrides)];
}

interface LayerFile extends FileSource {
  /** Whether the caller named the file, so that it has to be there. */
  readonly isNamed: boolean;
}

async function findFiles(options: CheckedLoadOptions) {
  const { file, cwd, env } = options;
  const home = findHome(env);
  const userPath = findUserFile(env);
  const userFile = userPath === undefined ? undefined : createFound("user", userPath, cwd, home);
  if (file !== undefined) {
    const path = resolve(cwd, file);
    const named: LayerFile = { layer: "project", file, shownFile: file, path, isNamed: true };
    return [(await isOneFile(userFile, named)) ? undefined : userFile, named] as const;
  }
  const projectPath = await searchProject(cwd, home);
  const projectFile = projectPath === undefined ? undefined : createFound("project", projectPath, cwd, home);
  // The search finds the user's file where it starts beside it: that does not make it a project's.
  return [userFile, (await isOneFile(userFile, projectFile)) ? undefined : projectFile] as const;
}

function createFound(layer: "user" | "project", path: string, cwd: string, home: string | undefined): LayerFile {
  return { layer, file: path, shownFile: shortenPath(path, cwd, home), path, isNamed: false };
}

async function isOneFile(one: LayerFile | undefined, other: LayerFile | undefined): Promise<boolean> {
  return one !== undefined && other !== undefined && (await isSameFile(one.path, other.path));
}

async function searchProject(cwd: string, home: string | undefined): Promise<string | undefined> {
  try {
    return await findProjectFile(cwd, home);
  } catch (cause) {
    const received = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    const details = { expected: "a directory to search from", received, remedy: "the path of a directory" };
    throw createFileError("unreadable-file", { layer: "project", file: cwd, shownFile: cwd }, details, cause);
  }
}

async function readFileLayer(source: LayerFile): Promise<Layer | undefined> {
  try {
    return readTomlLayer(await readManifestFile(source), source);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    const isAbsent = error.code === "missing-file" && !source.isNamed;
    return isAbsent ? undefined : { ...source, limits: [], warnings: [], error };
  }
}
