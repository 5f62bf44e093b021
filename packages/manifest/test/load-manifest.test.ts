import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadManifest, ManifestError, parseManifest } from "../src/index.js";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "pod-manifest-"));
});

afterAll(() => rm(directory, { recursive: true }));

async function writeManifest(name: string, bytes: string | Uint8Array): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, bytes);
  return file;
}

async function errorOf(file: string): Promise<ManifestError> {
  const error: unknown = await loadManifest({ file, env: {} }).catch((reason: unknown) => reason);
  if (error instanceof ManifestError) return error;
  throw new Error("no ManifestError");
}

describe("loadManifest", () => {
  it.each([
    ["plain", ""],
    ["BOM", "\uFEFF"],
  ])("M7: reads what parseManifest reads (%s)", async (name, prefix) => {
    const toml = `${prefix}[workers]\r\n[worker.tool_output.per_tool]\r\n"dé" = 500\r\n`;
    const file = await writeManifest(`${name}.toml`, toml);
    const loaded = await loadManifest({ file, env: {} });
    expect(loaded).toEqual(parseManifest(toml, { file }));
    expect(loaded.manifest.worker.toolOutput.perTool).toEqual({ dé: 500 });
    expect(loaded.warnings[0]?.message).toContain(`${file}:1:2: warning: workers: `);
  });

  it("M1: an empty file gives the default limits", async () => {
    expect(await loadManifest({ file: await writeManifest("empty.toml", ""), env: {} })).toEqual(parseManifest(""));
  });

  it("M7: a fault names the file", async () => {
    const file = await writeManifest("fault.toml", "worker = 5");
    const error = await errorOf(file);
    expect(error.message).toBe(
      `${file}:1:10: error: worker: expected a table, received an integer. Write: [worker.tool_output]`,
    );
  });

  it("M7: a named file that is missing is an error", async () => {
    const file = join(directory, "missing.toml");
    const error = await errorOf(file);
    expect(error.code).toBe("missing-file");
    expect(error.message).toBe(
      `${file}: error: expected a manifest, received no such file. Write: the path of a file that exists`,
    );
    expect(error.faults).toEqual([{ code: "missing-file", file, message: error.message }]);
    expect(error.cause).toMatchObject({ code: "ENOENT" });
  });

  it("M7: a path with NUL is an error", async () => {
    const error = await errorOf(`${directory}/a\0b`);
    expect(error.code).toBe("unreadable-file");
    expect(error.message).toContain("received ERR_INVALID_ARG_VALUE. Write: ");
    expect(error.cause).toMatchObject({ code: "ERR_INVALID_ARG_VALUE" });
  });

  it.each([
    ["Latin-1", Uint8Array.of(0x23, 0xe9, 0x0a)],
    ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x23, 0x00)],
    ["a surrogate in UTF-8", Uint8Array.of(0x23, 0xed, 0xa0, 0x80)],
    ["a cut character", Uint8Array.of(0x23, 0xf0, 0x9f, 0x98)],
  ])("M7: a file in %s is an error", async (name, bytes) => {
    // Mutant seen to fail: the check for UTF-8 left out, so that U+FFFD stands for the bytes.
    const file = await writeManifest(`${name}.toml`, bytes);
    const error = await errorOf(file);
    expect(error.code).toBe("not-utf8");
    expect(error.message).toBe(
      `${file}: error: expected text in UTF-8, received other bytes. Write: the file again, with the encoding UTF-8`,
    );
  });
});

describe("wrong arguments", () => {
  const call = (target: (...values: never[]) => unknown, ...values: unknown[]): unknown =>
    Reflect.apply(target, undefined, values);

  it.each([
    [undefined, "undefined"],
    [null, "null"],
    [42, "42"],
    [Symbol("s"), "Symbol(s)"],
    [Buffer.from("token = 'secret'"), "an object"],
    [["a"], "an array"],
    [() => "", "a function"],
    [10n ** 200n, `1${"0".repeat(79)}`],
  ])("bad input: parseManifest refuses the toml %s", (toml, received) => {
    expect(() => call(parseManifest, toml)).toThrow(
      new TypeError(
        `toml: expected the text of a manifest, received ${received}. Write: parseManifest("[worker.tool_output]")`,
      ),
    );
  });

  it.each([
    [null, "options: expected an object, received null"],
    ["pod.toml", "options: expected an object, received pod.toml"],
    [["pod.toml"], "options: expected an object, received an array"],
    [{ file: 5 }, "file: expected a path, received 5"],
    [{ file: "" }, "file: expected a path, received an empty string"],
    [{ file: null }, "file: expected a path, received null"],
    [{ file: new URL("file:///pod.toml") }, "file: expected a path, received an object"],
  ])("bad input: both functions refuse the options %j", async (options, reason) => {
    const error = new TypeError(`${reason}. Write: { file: "pod.toml" }`);
    expect(() => call(parseManifest, "", options)).toThrow(error);
    await expect(call(loadManifest, options)).rejects.toThrow(error);
  });

  it("bad input: no options are no mistake", () => {
    expect(parseManifest("", {})).toEqual(parseManifest(""));
  });

  it.each([
    [{ cwd: "" }, "cwd: expected a path, received an empty string. Write: { cwd: process.cwd() }"],
    [{ cwd: 5 }, "cwd: expected a path, received 5. Write: { cwd: process.cwd() }"],
    [{ overrides: 5 }, "overrides: expected an object, received 5. Write: { defaultMaxBytes: 8192 }"],
    [{ overrides: null }, "overrides: expected an object, received null. Write: { defaultMaxBytes: 8192 }"],
    [{ overrides: [] }, "overrides: expected an object, received an array. Write: { defaultMaxBytes: 8192 }"],
    [{ env: "HOME" }, "env: expected an object, received HOME. Write: { env: process.env }"],
  ])("bad input: loadManifest refuses the options %j", async (options, reason) => {
    await expect(call(loadManifest, options)).rejects.toThrow(new TypeError(reason));
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 5n, "65536", null, {}])(
    "bad input: a ceiling of %s switches nothing off",
    async (ceiling) => {
      const error: unknown = await Promise.resolve(call(loadManifest, { ceiling, env: {} })).catch((reason) => reason);
      expect(error).toBeInstanceOf(RangeError);
      expect(String(error)).toMatch(
        /^RangeError: ceiling: expected an integer from 1 to 2147483647 \(bytes\), received .+\. Write: \{ ceiling: 65536 \}$/,
      );
    },
  );
});
