import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readArguments as readAll } from "../src/read-arguments.js";
import { withTree } from "./tree.js";

function readArguments(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  return readAll(args, { cwd, env });
}

describe("the command line", () => {
  it("D3: without arguments it is the replay as shipped, over the project", () => {
    const { root, output, isAsShipped, manifestFile } = readArguments([], "/");
    expect({ output, isAsShipped, manifestFile }).toEqual({
      output: "text",
      isAsShipped: true,
      manifestFile: undefined,
    });
    expect(join(root, "apps/demo/test/read-arguments.test.ts")).toBe(import.meta.filename);
  });

  it("D3: takes paths from where the user is; another tree or other limits are not as shipped", () =>
    withTree(async ({ root }) => {
      expect(readArguments(["--root", "sub", "--json"], root)).toEqual({
        root: join(root, "sub"),
        output: "json",
        isAsShipped: false,
      });
      expect(readArguments(["--manifest", "pod.toml"], root)).toMatchObject({
        manifestFile: join(root, "pod.toml"),
        isAsShipped: false,
      });
    }));

  it.each([
    [["--parallel", "8"], { type: "parallel", count: 8 }],
    [["--build-log"], { type: "build-log" }],
    [["--mcp"], { type: "mcp" }],
  ])("D3: %j is another scene, as shipped too", (args, scene) => {
    expect(readArguments(args, "/")).toMatchObject({ scene, isAsShipped: true });
  });

  it("D2: the report may replace a file, and must be one that can be written", () =>
    withTree(async ({ root }) => {
      for (const file of ["new.html", "a.txt", "sub/new.html"]) {
        expect(readArguments(["--report", file], root)).toMatchObject({
          reportFile: join(root, file),
          isAsShipped: true,
        });
      }
      for (const file of ["sub", "none/new.html", "a.txt/new.html"]) {
        expect(() => readArguments(["--report", file], root)).toThrow(`received ${join(root, file)} (Error: E`);
      }
    }));

  // D4: neither of these is a switch.
  it.each([
    [["--uncapped"], "--uncapped"],
    [["--no-cap"], "--no-cap"],
    [["--live"], "Write: ANTHROPIC_API_KEY=… npm start -- --live"],
    [["--model", "claude-haiku-5-5"], "Write: --live --model claude-haiku-5-5"],
    [["somewhere"], "somewhere"],
    [["--root"], "--root"],
    [["--root", "none"], "--root: expected a directory, received /none"],
    [["--json=yes"], "--json"],
    [["--parallel", "0"], "received 0. Write: --parallel 8"],
    [["--parallel", "65"], "from 1 to 64, received 65"],
    [["--parallel", "many"], "received many"],
    [["--parallel", "8", "--report", "/tmp/report.html"], "--report"],
    [["--mcp", "--report", "/tmp/report.html"], "--report"],
    [["--mcp", "--build-log"], "expected one of them, received more"],
    [["--parallel", "8", "--mcp"], "expected one of them, received more"],
  ])("D3 D4: %j is an error that names it", (args, named) => {
    expect(() => readArguments(args, "/")).toThrow(named);
  });

  it("D3: --live takes the key from the environment; it is not as shipped", () => {
    const env = { ANTHROPIC_API_KEY: "sk-of-the-user" };
    expect(readArguments(["--live"], "/", env)).toMatchObject({
      live: { apiKey: "sk-of-the-user", modelId: "claude-haiku-5-5" },
      isAsShipped: false,
    });
    expect(readArguments(["--live", "--model", "claude-opus-5-5"], "/", env)).toMatchObject({
      live: { modelId: "claude-opus-5-5" },
    });
    expect(readArguments(["--json"], "/", env)).not.toHaveProperty("live");
    expect(readArguments(["--live", "--help"], "/")).toMatchObject({ output: "usage" });
  });

  // Node's own error for a header that is none tells the whole value.
  it.each(["", " ", "sk-secret\n", "sk-secret sk-secret", "sk-secret\u2026", "\u0000sk-secret"])(
    "D3: a key that cannot be sent (%j) is refused, and not told",
    (key) => {
      const read = () => readArguments(["--live"], "/", { ANTHROPIC_API_KEY: key });
      expect(read).toThrow("expected an API key in the environment variable ANTHROPIC_API_KEY");
      expect(read).not.toThrow("secret");
    },
  );
});
