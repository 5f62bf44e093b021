import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readManifests, type WorkspaceManifest } from "../package-manifests.js";
import { repositoryRoot } from "../source-file.js";
import { copyWorkspace } from "./copy-workspace.js";
import { runCommand } from "./run-command.js";

const sentence = "Fix a made-up fault.";
let copy: string;
let before: readonly WorkspaceManifest[];
let after: readonly WorkspaceManifest[];

beforeAll(() => {
  copy = copyWorkspace();
  symlinkSync(join(repositoryRoot, "node_modules"), join(copy, "node_modules"));
  // Alone, and about a package that no public one depends on: only the configuration can make the others follow.
  for (const name of changesets()) rmSync(join(copy, ".changeset", name));
  writeFileSync(join(copy, ".changeset/made-up.md"), `---\n"@pod/manifest": minor\n---\n\n${sentence}\n`);
  // changesets looks for the commit that a changeset came with.
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=Nobody", "-c", "user.email=nobody@localhost", "commit", "--quiet", "--message", "Copy");
  before = readManifests(copy);
  runCommand(process.execPath, ["node_modules/@changesets/cli/bin.js", "version"], { cwd: copy });
  after = readManifests(copy);
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

// Mutants seen to fail: no `fixed` in the configuration; private packages versioned.
describe("a release of a change to one package", () => {
  it("P3: raises the public packages to one version", () => {
    const versions = (manifests: readonly WorkspaceManifest[]) =>
      new Set(manifests.filter(isPublic).map(({ manifest }) => manifest.version));
    expect(versions(after).size).toBe(1);
    expect(versions(after)).not.toEqual(versions(before));
  });

  it("P3: leaves the private packages alone", () => {
    const privately = (manifests: readonly WorkspaceManifest[]) => manifests.filter((each) => !isPublic(each));
    expect(privately(before).length).toBeGreaterThan(0);
    expect(privately(after)).toEqual(privately(before));
    for (const { directory } of privately(after)) expect(existsSync(join(copy, directory, "CHANGELOG.md"))).toBe(false);
  });

  it("P3: writes down what changed, under the new version", () => {
    for (const { directory, manifest } of after.filter(isPublic)) {
      const changelog = readFileSync(join(copy, directory, "CHANGELOG.md"), "utf8");
      expect(changelog.startsWith(`# ${manifest.name}\n\n## ${manifest.version}\n`)).toBe(true);
      expect(changelog.includes(sentence)).toBe(manifest.name === "@pod/manifest");
    }
  });

  it("P3: uses up every changeset", () => {
    expect(changesets()).toEqual([]);
  });
});

function changesets(): readonly string[] {
  return readdirSync(join(copy, ".changeset")).filter((name) => name.endsWith(".md"));
}

function isPublic({ manifest }: WorkspaceManifest): boolean {
  return manifest.private !== true;
}

function git(...parameters: readonly string[]): void {
  runCommand("git", parameters, { cwd: copy });
}
