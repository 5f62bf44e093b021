import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";

const { bare } = inject("installed");

// Mutant seen to fail: `publishConfig.imports` with a branch that nobody takes.
describe("pod-manifest, installed from its tarball", () => {
  it.each([
    ["accepts", "default_max_bytes = 8192", 0],
    ["refuses", 'default_max_bytes = "8k"', 1],
  ])("P3: %s a manifest", (_verb, line, status) => {
    const cwd = mkdtempSync(join(bare, "command-"));
    writeFileSync(join(cwd, "pod.toml"), `[worker.tool_output]\n${line}\n`);
    const command = join(bare, "node_modules/.bin/pod-manifest");
    const ran = spawnSync(command, ["check", "pod.toml"], { cwd, encoding: "utf8" });
    expect(ran.status).toBe(status);
    expect(ran.stderr.includes("pod.toml:2:")).toBe(status === 1);
  });
});
