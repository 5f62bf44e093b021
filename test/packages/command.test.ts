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

describe("mcp-cap, installed from its tarball", () => {
  it("P3 X2: stands before a server and caps what it answers", () => {
    const server = `process.stdin.once("data", () => console.log(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "x".repeat(5000) }] } })))`;
    const command = join(bare, "node_modules/.bin/mcp-cap");
    const ran = spawnSync(command, ["--max-bytes", "1000", "--", process.execPath, "--eval", server], {
      encoding: "utf8",
      input: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}\n',
    });
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    expect(Buffer.byteLength(JSON.parse(ran.stdout).result.content[0].text)).toBe(999);
  });
});
