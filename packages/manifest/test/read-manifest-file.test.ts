import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { symlink, truncate } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadManifest, ManifestError } from "../src/index.js";
import { readBounded } from "../src/read-manifest-file.js";
import { createTree } from "./support/scratch-tree.js";

const SECRET = "hunter2-a-secret-of-the-file";

async function errorOf(attempt: Promise<unknown>): Promise<ManifestError> {
  const error = await attempt.catch((reason: unknown) => reason);
  if (error instanceof ManifestError) return error;
  throw new Error("no ManifestError");
}

async function listen(path: string): Promise<void> {
  const server = createServer().listen(path);
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
  });
  await once(server, "listening");
}

function makePipe(path: string): void {
  expect(spawnSync("mkfifo", [path]).status).toBe(0);
}

const IRREGULAR = [
  ["a symbolic link", async (root: string) => symlink(join(root, "secrets.toml"), join(root, "pod.toml"))],
  ["a symbolic link", async (root: string) => symlink(join(root, "nowhere"), join(root, "pod.toml"))],
  ["a symbolic link", async (root: string) => symlink("pod.toml", join(root, "pod.toml"))],
  ["a directory", async (root: string) => createDirectory(root)],
  ["a named pipe", async (root: string) => makePipe(join(root, "pod.toml"))],
  ["a socket", async (root: string) => listen(join(root, "pod.toml"))],
] as const;

async function createDirectory(root: string): Promise<void> {
  expect(spawnSync("mkdir", [join(root, "pod.toml")]).status).toBe(0);
}

describe("what is no regular file", () => {
  it.each(IRREGULAR)("M6: %s is an error, named or searched, and nothing of it is read", async (kind, make) => {
    // Mutant seen to fail: no look at the kind before it is opened (a socket cannot be).
    const root = await createTree({ "secrets.toml": `token = "${SECRET}` });
    await make(root);
    const remedy = "a regular file of that name, or the path of one";
    for (const options of [{ cwd: root }, { cwd: root, file: "pod.toml" }]) {
      const error = await errorOf(loadManifest({ ...options, env: {} }));
      expect(error.code).toBe("irregular-file");
      expect(error.message).toBe(`pod.toml: error: expected a regular file, received ${kind}. Write: ${remedy}`);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("hunter2");
    }
  });

  it("M6: a device is an error", async () => {
    const error = await errorOf(loadManifest({ file: "/dev/zero", env: {} }));
    expect(error.message).toContain("/dev/zero: error: expected a regular file, received a device. ");
  });

  it("M6: a directory on the way may be a link", async () => {
    const root = await createTree({ "real/pod.toml": "[worker.tool_output]\ndefault_max_bytes = 500" });
    await symlink(join(root, "real"), join(root, "link"));
    const { manifest } = await loadManifest({ file: join(root, "link/pod.toml"), env: {} });
    expect(manifest.worker.toolOutput.defaultMaxBytes).toBe(500);
  });
});

describe("large files", () => {
  it("M6: are read up to 1 MiB", async () => {
    const comment = `#${"x".repeat(1_048_576 - 1)}`;
    const root = await createTree({ "pod.toml": comment, "large.toml": `${comment}x` });
    expect((await loadManifest({ cwd: root, env: {} })).warnings).toEqual([]);
    const error = await errorOf(loadManifest({ cwd: root, file: "large.toml", env: {} }));
    expect(error.code).toBe("too-large");
    expect(error.message).toBe(
      "large.toml: error: expected at most 1048576 bytes, received 1048577 bytes. Write: limits of tools, and nothing else that is long",
    );
  });

  it("M6: of a terabyte without a byte in it are not read", async () => {
    const root = await createTree({ "pod.toml": "" });
    await truncate(join(root, "pod.toml"), 2 ** 40);
    const error = await errorOf(loadManifest({ cwd: root, env: {} }));
    expect(error.message).toContain("received 1099511627776 bytes. ");
  });

  it("M6: that grow while they are read, or say that they are empty, are read no further than allowed", async () => {
    let asked = 0;
    const read = async (_buffer: unknown, _offset: unknown, length: number) => {
      asked += length;
      return { bytesRead: Math.min(length, 100_000) };
    };
    const source = { layer: "project", file: "pod.toml", shownFile: "pod.toml", path: "pod.toml" } as const;
    const error = await errorOf(Promise.resolve(Reflect.apply(readBounded, undefined, [{ read }, source])));
    expect(error.message).toContain("pod.toml: error: expected at most 1048576 bytes, received more. ");
    expect(asked).toBeLessThan(12 * 1_048_577);
  });
});

describe("hostile manifests", () => {
  const manyKeys = (value: string) =>
    `[worker.tool_output.per_tool]\n${Array.from({ length: 100_000 }, (_, index) => `t${index}=${value}`).join("\n")}`;

  it("M6 M10: 100,000 keys are read, each with its line, and lowered to the ceiling", async () => {
    const root = await createTree({ "pod.toml": manyKeys("9") });
    const { origins, warnings } = await loadManifest({ cwd: root, env: {}, ceiling: 8 });
    expect(Object.keys(origins.perTool)).toHaveLength(100_000);
    expect(origins.perTool.t99999).toMatchObject({ line: 100_001, maxBytes: 8, loweredFrom: 9 });
    expect(warnings).toHaveLength(100_001);
  });

  it("M7: 100,000 faults are told, each with its place", async () => {
    const root = await createTree({ "pod.toml": manyKeys("0") });
    const error = await errorOf(loadManifest({ cwd: root, env: {} }));
    expect(error.faults).toHaveLength(100_000);
    expect(error.faults.at(-1)).toMatchObject({ line: 100_001, column: 8 });
  });

  it.each([
    ["with a mark", [0xff, 0xfe]],
    ["without a mark", []],
  ])("M7: UTF-16 %s is an error that shows nothing of it", async (_what, mark) => {
    const text = Buffer.from(`token = "${SECRET}"\n`, "utf16le");
    const root = await createTree({ "pod.toml": Buffer.concat([Uint8Array.from(mark), text]) });
    const error = await errorOf(loadManifest({ cwd: root, env: {} }));
    const shown = inspect(error, { depth: 9, showHidden: true });
    for (const hidden of ["hunter2", "h\0u\0n", "h\\x00u", "h\\u0000u"]) expect(shown).not.toContain(hidden);
  });

  it("M7: a file's name reaches nobody's terminal as it is", async () => {
    const root = await createTree({ "a\u001b[2J\n.toml": "worker = 5" });
    const error = await errorOf(loadManifest({ cwd: root, file: "a\u001b[2J\n.toml", env: {} }));
    expect(error.message).toMatch(/^a\\u001B\[2J\\u000A\.toml:1:10: error: /);
  });
});
