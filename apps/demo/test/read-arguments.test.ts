import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readArguments } from "../src/read-arguments.js";
import { withTree } from "./tree.js";

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
    [["--live"], "--live"],
    [["somewhere"], "somewhere"],
    [["--root"], "--root"],
    [["--root", "none"], "--root: expected a directory, received /none"],
    [["--json=yes"], "--json"],
  ])("D3 D4: %j is an error that names it", (args, named) => {
    expect(() => readArguments(args, "/")).toThrow(named);
  });
});
