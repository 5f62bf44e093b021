import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runCommand } from "../src/command/run-command.js";
import { createTree } from "./support/scratch-tree.js";

const packageDirectory = fileURLToPath(new URL("..", import.meta.url));
const { bin, version } = JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8"));

function start(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const node = ["--import", import.meta.resolve("tsx"), "--conditions=@pod/source"];
  const command = join(packageDirectory, bin["pod-manifest"]);
  return spawn(process.execPath, [...node, command, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
}

/** The real command, as a process. */
async function runProcess(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const child = start(args, cwd, env);
  const [stdout, stderr, [exitStatus]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { stdout, stderr, exitStatus };
}

/** The same without a process, which takes seconds to start where others run. */
async function run(args: readonly string[], cwd = packageDirectory, env: Readonly<Record<string, string>> = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const argv = ["node", "pod-manifest", ...args];
  const exitStatus = await runCommand({ argv, env, stdout, stderr, cwd: () => cwd });
  stdout.end();
  stderr.end();
  return { stdout: await text(stdout), stderr: await text(stderr), exitStatus };
}

const FAULTY = `[workers]
[worker.tool_output]
default_max_byte = 5
[worker.tool_output.per_tool]
Read = "32k"
mcp.get = 4096
`;
const EXPLAINED = `[worker.tool_output]

[worker.tool_output.per_tool]
Read = 32768
"a.b" = 512



Grep = 8192
`;

describe("pod-manifest check", () => {
  it("M7: writes like a compiler, faults before warnings, and a count, and exits with 1", async () => {
    // Mutant seen to fail: warnings before faults.
    const cwd = await createTree({ "pod.toml": FAULTY, ".git/": "" });
    expect(await runProcess(["check"], cwd)).toEqual({
      stdout: "",
      stderr: `pod.toml:5:8: error: worker.tool_output.per_tool.Read: expected an integer from 1 to 2147483647 (bytes), received "32k". Write: Read = 32768
pod.toml:6:1: error: worker.tool_output.per_tool.mcp.get: expected a tool's name in quotes, received nested tables, which dots outside quotes make. Write: "mcp.get" = 4096
pod.toml:1:2: warning: workers: expected worker, received a key that is nearly the same, and is ignored. Write: [worker.tool_output]
pod.toml:3:1: warning: worker.tool_output.default_max_byte: expected default_max_bytes, default_max_tokens, turn_max_bytes, turn_max_tokens, keep or per_tool, received an unknown key, which is ignored. Write: default_max_bytes
2 errors, 2 warnings
`,
      exitStatus: 1,
    });
  });

  it("M6 M7: checks the file that is named, and the user's, and exits with 0 where there is only a warning", async () => {
    const cwd = await createTree({
      "pod.toml": FAULTY,
      "good.toml": EXPLAINED,
      "home/.config/pod/pod.toml": "[wroker]",
    });
    const { stderr, exitStatus } = await run(["check", "good.toml"], cwd, { HOME: join(cwd, "home") });
    expect(stderr).toMatch(/^home\/\.config\/pod\/pod\.toml:1:2: warning: wroker: .+\n0 errors, 1 warning\n$/);
    expect(exitStatus).toBe(0);
  });

  it("M7: writes JSON to stdout and nothing else anywhere", async () => {
    const cwd = await createTree({ "pod.toml": FAULTY, ".git/": "" });
    const { stdout, stderr, exitStatus } = await run(["check", "--json"], cwd);
    expect(stderr).toBe("");
    expect(exitStatus).toBe(1);
    const { errors, warnings } = JSON.parse(stdout);
    expect(errors[0]).toMatchObject({
      code: "invalid-value",
      path: "worker.tool_output.per_tool.Read",
      file: join(cwd, "pod.toml"),
      line: 5,
      column: 8,
    });
    expect([errors.length, warnings.length]).toEqual([2, 2]);
  });

  it("M7: a named file that is missing is a fault", async () => {
    const { stderr, exitStatus } = await run(["check", "no/such.toml"]);
    expect(stderr).toMatch(
      /^no\/such\.toml: error: expected a manifest, received no such file\. .+\n1 error, 0 warnings\n$/,
    );
    expect(exitStatus).toBe(1);
  });

  it("M7: lets no control character of a key, a file or an argument reach a terminal", async () => {
    const nasty = "\u001b[2J\u009b1m\u202e";
    const cwd = await createTree({
      [`${nasty}.toml`]: `[worker.tool_output.per_tool]\n"\\u001b[2J\\u009b\\u202e" = 5`,
    });
    for (const args of [
      ["check", `${nasty}.toml`],
      ["check", "--json", `${nasty}.toml`],
      ["explain", `${nasty}.toml`],
      ["explain", "--json", `${nasty}.toml`],
      ["explain", "--tool", nasty],
      ["check", `--${nasty}`],
      ["check", `no such ${nasty}`],
      [nasty],
    ]) {
      const { stdout, stderr } = await run(args, cwd);
      expect(stdout + stderr).toMatch(/1B/i);
      expect(stdout + stderr).not.toMatch(/(?![\n ])[\p{C}\p{Z}]/u);
    }
  });
});

describe("pod-manifest explain", () => {
  const tree = {
    "work/.git/": "",
    "work/pod.toml": EXPLAINED,
    ".config/pod/pod.toml": "[worker.tool_output]\n\n[worker.tool_output.per_tool]\nGrep = 4096\nconstructor = 9999\n",
  };

  it("M10: writes one line a tool", async () => {
    const home = await createTree(tree);
    expect(await runProcess(["explain"], join(home, "work"), { HOME: home })).toEqual({
      stdout: `(default)    16,384 bytes  built in
Grep          8,192 bytes  pod.toml:9  (default 16,384 bytes built in; ~/.config/pod/pod.toml:4 said 4,096 bytes)
constructor   9,999 bytes  ~/.config/pod/pod.toml:5  (default 16,384 bytes built in)
Read         32,768 bytes  pod.toml:4  (default 16,384 bytes built in)
"a.b"           512 bytes  pod.toml:5  (default 16,384 bytes built in)
`,
      stderr: "",
      exitStatus: 0,
    });
  });

  it.each([
    [
      "Grep",
      "Grep  8,192 bytes  pod.toml:9  (default 16,384 bytes built in; ~/.config/pod/pod.toml:4 said 4,096 bytes)\n",
    ],
    ["Write", "Write  16,384 bytes  built in  (the default)\n"],
    ["toString", "toString  16,384 bytes  built in  (the default)\n"],
  ])("M10: writes only the line of the tool %s", async (tool, line) => {
    const home = await createTree(tree);
    expect((await run(["explain", "--tool", tool], join(home, "work"), { HOME: home })).stdout).toBe(line);
  });

  it("M10: says what the default overrules", async () => {
    const cwd = await createTree({ "pod.toml": "[worker.tool_output]\ndefault_max_bytes = 9000" });
    expect((await run(["explain", "pod.toml"], cwd)).stdout).toBe(
      "(default)  9,000 bytes  pod.toml:2  (built in said 16,384 bytes)\n",
    );
  });

  it("M10: has a line for the turn budget where there is one, and none among a tool's", async () => {
    const home = await createTree({
      "work/pod.toml": "[worker.tool_output]\nturn_max_bytes = 36000\nper_tool = { turn = 500 }",
      ".config/pod/pod.toml": "[worker.tool_output]\nturn_max_bytes = 1024",
    });
    const explained = await run(["explain"], join(home, "work"), { HOME: home });
    expect(explained.stdout).toBe(`(default)  16,384 bytes  built in
(turn)     36,000 bytes  pod.toml:2  (~/.config/pod/pod.toml:2 said 1,024 bytes)
turn          500 bytes  pod.toml:3  (default 16,384 bytes built in)
`);
    expect(explained.stderr).toBe("");
    const { stdout } = await run(["explain", "--tool", "(turn)"], join(home, "work"), { HOME: home });
    expect(stdout).toBe('"(turn)"  16,384 bytes  built in  (the default)\n');
    const ofTool = await run(["explain", "--json", "--tool", "Glob"], join(home, "work"), { HOME: home });
    expect(JSON.parse(ofTool.stdout)).toEqual({ tool: "Glob", layer: "built-in", maxBytes: 16_384, overruled: [] });
  });

  it("M10: says what a cut keeps and who said so, where anybody did", async () => {
    // Mutant seen to fail: the note of the section's keep on a tool that has its own.
    const home = await createTree({
      "work/pod.toml": `[worker.tool_output]
keep = "tail"
[worker.tool_output.per_tool]
Bash = { max_bytes = 8192, keep = "ends" }
Grep = { keep = "head" }
Read = 32768
`,
      ".config/pod/pod.toml":
        "[worker.tool_output]\nkeep = 'ends'\nper_tool = { Bash = { keep = 'tail' }, Grep = { max_bytes = 9, keep = 'ends' } }",
    });
    const env = { HOME: home };
    expect((await run(["explain"], join(home, "work"), env)).stdout).toBe(`(default)  16,384 bytes        built in
(keep)                   tail  pod.toml:2  (~/.config/pod/pod.toml:2 said ends)
Bash        8,192 bytes  ends  pod.toml:4  (default 16,384 bytes built in; ~/.config/pod/pod.toml:3 said tail)
Grep       16,384 bytes  head  pod.toml:5  (bytes of the default, built in; ~/.config/pod/pod.toml:3 said 9 bytes, ends)
Read       32,768 bytes  tail  pod.toml:6  (default 16,384 bytes built in; keep pod.toml:2)
`);
    const { stdout } = await run(["explain", "--tool", "Glob"], join(home, "work"), env);
    expect(stdout).toBe("Glob  16,384 bytes  tail  built in  (the default; keep pod.toml:2)\n");
    const inherited = await run(["explain", "--json", "--tool", "Read"], join(home, "work"), env);
    expect(JSON.parse(inherited.stdout)).toMatchObject({
      maxBytes: 32_768,
      keepOrigin: { layer: "project", line: 2, keep: "tail", overruled: [{ layer: "user", keep: "ends" }] },
    });
    const own = await run(["explain", "--json", "--tool", "Bash"], join(home, "work"), env);
    expect(JSON.parse(own.stdout)).toMatchObject({ maxBytes: 8192, keep: "ends", line: 4 });
    expect(own.stdout).not.toContain("keepOrigin");
  });

  it("M10 M12: states the unit of every figure, in text and in JSON", async () => {
    // Mutants seen to fail: bytes of a limit in tokens; no unit of what a lower layer said.
    const home = await createTree({
      "work/pod.toml": `[worker.tool_output]
default_max_tokens = 5000
turn_max_tokens = 12000
[worker.tool_output.per_tool]
Read = 8000
Bash = { max_tokens = 800, keep = "tail" }
Glob = { keep = "ends" }
`,
      ".config/pod/pod.toml":
        "[worker.tool_output]\ndefault_max_bytes = 9000\nturn_max_bytes = 90000\nper_tool = { Grep = 4096, Read = { max_bytes = 32768, keep = 'tail' } }",
    });
    const explain = (args: readonly string[]) => run(["explain", ...args], join(home, "work"), { HOME: home });
    const { stdout, stderr } = await explain([]);
    expect(stderr).toBe("");
    expect(
      stdout,
    ).toBe(`(default)   5,000 tokens        pod.toml:2  (~/.config/pod/pod.toml:2 said 9,000 bytes; built in said 16,384 bytes)
(turn)     12,000 tokens        pod.toml:3  (~/.config/pod/pod.toml:3 said 90,000 bytes)
Grep        4,096 bytes         ~/.config/pod/pod.toml:4  (default 5,000 tokens pod.toml:2)
Read        8,000 tokens        pod.toml:5  (default 5,000 tokens pod.toml:2; ~/.config/pod/pod.toml:4 said 32,768 bytes, tail)
Bash          800 tokens  tail  pod.toml:6  (default 5,000 tokens pod.toml:2)
Glob        5,000 tokens  ends  pod.toml:7  (tokens of the default, pod.toml:2)
`);
    expect((await explain(["--tool", "Write"])).stdout).toMatch(
      /^Write {2}5,000 tokens {2}pod\.toml:2 {2}\(the default; .* said 9,000 bytes; built in said 16,384 bytes\)\n$/,
    );
    expect(JSON.parse((await explain(["--json", "--tool", "Read"])).stdout)).toEqual({
      tool: "Read",
      layer: "project",
      file: join(home, "work/pod.toml"),
      line: 5,
      maxBytes: 32_000,
      maxTokens: 8000,
      overruled: [{ layer: "user", file: join(home, ".config/pod/pod.toml"), line: 4, maxBytes: 32_768, keep: "tail" }],
    });
  });

  it("M10: writes JSON", async () => {
    const home = await createTree(tree);
    const { stdout } = await run(["explain", "--json", "--tool", "Grep"], join(home, "work"), { HOME: home });
    expect(JSON.parse(stdout)).toEqual({
      tool: "Grep",
      layer: "project",
      file: join(home, "work/pod.toml"),
      line: 9,
      maxBytes: 8192,
      overruled: [{ layer: "user", file: join(home, ".config/pod/pod.toml"), line: 4, maxBytes: 4096 }],
    });
  });

  it.each([[[]], [["--json"]]])(
    "M7: of a faulty manifest it tells the faults, and exits with 1: %j",
    async (options) => {
      const cwd = await createTree({ "pod.toml": FAULTY });
      const { stdout, stderr, exitStatus } = await run(["explain", "pod.toml", ...options], cwd);
      expect(exitStatus).toBe(1);
      expect(`${stdout}${stderr}`).toContain("pod.toml:5:8: error: ");
      expect(`${stdout}${stderr}`).not.toContain("16,384");
    },
  );

  it("M10: a reader that has read enough is no failure", async () => {
    // Mutant seen to fail: no listener for errors of the streams.
    const names = Array.from({ length: 20_000 }, (_, index) => `tool_${index} = 200`).join("\n");
    const cwd = await createTree({ "pod.toml": `[worker.tool_output.per_tool]\n${names}` });
    const child = start(["explain", "pod.toml"], cwd, {});
    const errors = text(child.stderr);
    await once(child.stdout, "data");
    child.stdout.destroy();
    const [exitStatus] = await once(child, "close");
    expect([exitStatus, await errors]).toEqual([0, ""]);
  });
});

describe("usage", () => {
  it("M7: --help says what there is, --version which version it is", async () => {
    const help = await run(["--help"]);
    expect(help.exitStatus).toBe(0);
    expect(help.stdout).toMatch(
      /check \[options\] \[file\][\s\S]+explain \[options\] \[file\][\s\S]+Exit status: 0, 1/,
    );
    expect((await run(["explain", "--help"])).stdout).toContain("--tool <name>");
    expect(await run(["--version"])).toEqual({ stdout: `${version}\n`, stderr: "", exitStatus: 0 });
  });

  it.each([
    [[], "Usage: pod-manifest"],
    [["chekc"], "unknown command 'chekc'"],
    [["check", "--jsn"], "Did you mean --json?"],
    [["check", "a", "b"], "too many arguments"],
    [["check", ""], "It is empty. Write: pod.toml"],
    [["explain", "--tool"], "argument missing"],
  ])("M7: wrong usage exits with 2: %j", async (args, reason) => {
    const { stdout, stderr, exitStatus } = await run(args);
    expect(stderr).toContain(reason);
    expect([stdout, exitStatus]).toEqual(["", 2]);
  });

  it("M7: wrong usage exits with 2 as a process too", async () => {
    const { stdout, stderr, exitStatus } = await runProcess(["chekc"], packageDirectory);
    expect([stdout, stderr, exitStatus]).toEqual(["", "error: unknown command 'chekc'\n(Did you mean check?)\n", 2]);
  });
});
