import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readPackageDirectories, repositoryRoot } from "./source-file.js";

/** What package.json says, as far as packaging goes. */
export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly type?: string;
  readonly license?: string;
  readonly sideEffects?: boolean;
  readonly engines?: { readonly node?: string };
  readonly files?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Conditions;
  readonly imports?: Conditions;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly publishConfig?: { readonly exports?: Conditions; readonly imports?: Conditions };
}

/** A target, or targets by subpath and condition, in the order in which they are tried. */
export type Conditions = string | { readonly [key: string]: Conditions };

export interface WorkspaceManifest {
  /** Below the repository, with slashes. */
  readonly directory: string;
  readonly manifest: PackageManifest;
}

/** Every package of the workspace, private ones included. */
export function readManifests(root: string = repositoryRoot): readonly WorkspaceManifest[] {
  return readPackageDirectories().map((directory) => ({ directory, manifest: readManifest(join(root, directory)) }));
}

/** The packages that a release publishes. */
export function readPublicManifests(): readonly WorkspaceManifest[] {
  return readManifests().filter(({ manifest }) => manifest.private !== true);
}

export function readManifest(directory: string): PackageManifest {
  return JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
}

/** Every file that conditions lead to. */
export function findTargets(conditions: Conditions | undefined): readonly string[] {
  if (conditions === undefined) return [];
  return typeof conditions === "string" ? [conditions] : Object.values(conditions).flatMap(findTargets);
}

/** A way into a package: what an importer writes, and the source that stands behind it. */
export interface Entry {
  readonly specifier: string;
  readonly source: string;
}

/** The entries of a package that hold code. */
export function findEntries({ directory, manifest: { name, exports } }: WorkspaceManifest): readonly Entry[] {
  return Object.entries(exports ?? {}).flatMap(([subpath, branch]) => {
    const source = typeof branch === "string" ? undefined : branch["@pod/source"];
    if (typeof source !== "string") return [];
    return [{ specifier: name + subpath.slice(1), source: join(repositoryRoot, directory, source) }];
  });
}
