import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseArguments } from "../src/parse-arguments.js";

interface Configured {
  readonly command: string;
  readonly args: readonly string[];
}

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const blocks = [...readme.matchAll(/```(json|toml)\n([^`]*)```/g)];
const configured = blocks.map(([, language = "", text = ""]) =>
  language === "json" ? readJson(text) : readToml(text),
);

/** The one server of a client's configuration. */
function readJson(text: string): Configured {
  const { mcpServers, servers } = JSON.parse(text);
  return Object.values<Configured>(mcpServers ?? servers)[0] ?? { command: "", args: [] };
}

function readToml(text: string): Configured {
  const read = (key: string) => JSON.parse(new RegExp(`^${key} = (.*)$`, "m").exec(text)?.[1] ?? "null");
  return { command: read("command"), args: read("args") };
}

describe("the configurations of the README", () => {
  // Mutant seen to fail: `--` left out of one of them.
  it.each([
    ["most clients", 0],
    ["VS Code", 2],
    ["Codex", 4],
  ])(
    "X9: for %s, the one after is the one before with a longer command line, which mcp-cap reads so",
    (_client, index) => {
      const [before, after] = configured.slice(index, index + 2);
      if (before === undefined || after === undefined) throw new Error("a configuration without its other half");
      const { command, args: serverArgs } = before;
      const [yes, name, ...args] = after.args;
      expect([after.command, yes, name]).toEqual(["npx", "-y", "@pod/mcp-cap"]);
      expect(args).toEqual(["--", command, ...serverArgs]);
      expect(parseArguments(args, "1.0.0")).toMatchObject({ type: "run", options: { command, args: serverArgs } });
    },
  );

  it("X9: are six", () => {
    expect(configured.length).toBe(6);
  });
});

it("X9: every option that the README names is one, and the README names all", () => {
  const parsed = parseArguments(["--help"], "1.0.0");
  const help = parsed.type === "none" ? parsed.stdout : "";
  const optionsOf = (text: string) => [...new Set(text.match(/(?<![\w-])--[a-z][a-z-]+/g))].sort();
  const ours = optionsOf(help).filter((option) => !["--help", "--version"].includes(option));
  const named = optionsOf(readme.replaceAll(/npm start -- --mcp/g, ""));
  expect(named).toEqual(ours);
});
