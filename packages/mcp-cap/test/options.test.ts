import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runMcpCap, script } from "./support/run-mcp-cap.js";

const ECHO = "process.stdin.pipe(process.stdout)";
/** Answers every request with 5,000 bytes of text. */
const TALKER = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  const content = [{ type: "text", text: "secret ".repeat(700) }];
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { content } }));
})`;

function request(id: number, method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

describe("the options", () => {
  it.each([
    ["with --", ["--", process.execPath, "--eval", "console.log(process.argv.slice(1).join())", "--", "--stats", "a"]],
    ["without --", [process.execPath, "--eval", "console.log(process.argv.slice(1).join())", "--", "--stats", "a"]],
  ])("X9: %s, all behind the command is the server's", async (_what, args) => {
    expect(await runMcpCap(args)).toEqual({ stdout: "--stats,a\n", stderr: "", exitStatus: 0, signal: null });
  });

  it("X9: --max-bytes over --manifest over the default, each tool its own", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "mcp-cap-"));
    writeFileSync(
      join(cwd, "pod.toml"),
      "[worker.tool_output]\ndefault_max_bytes = 2000\n[worker.tool_output.per_tool]\nb = 1000\n'c=d' = 900\n",
    );
    const calls = ["a", "b", "c=d", "e"].map((name, id) => request(id, "tools/call", { name })).join("");
    const args = ["--manifest", "pod.toml", "--max-bytes", "b=800", "--max-bytes", "e=700", ...script(TALKER)];
    const { stdout } = await runMcpCap(args, calls, { cwd });
    const sizes = stdout
      .trimEnd()
      .split("\n")
      .map((line) => Buffer.byteLength(JSON.parse(line).result.content[0].text) + 1);
    expect(sizes).toEqual([2_000, 800, 900, 700]);
  });

  it("X9: a limit in tokens becomes one in bytes, 1.8 for a token, and that is told", async () => {
    // Mutant seen to fail: tokens passed on, which end the command at the first text outside of a content.
    const cwd = await mkdtemp(join(tmpdir(), "mcp-cap-"));
    writeFileSync(
      join(cwd, "pod.toml"),
      "[worker.tool_output]\ndefault_max_tokens = 500\nper_tool = { b = 250, __proto__ = { max_tokens = 200, keep = 'head' } }\n",
    );
    // A text that is capped outside of the content, too.
    const talker = TALKER.replace("{ content }", "{ content, statusMessage: content[0].text }");
    const calls = ["a", "b", "__proto__", "e"].map((name, id) => request(id, "tools/call", { name })).join("");
    const args = ["--manifest", "pod.toml", "--max-bytes", "e=700", ...script(talker)];
    const { stdout, stderr } = await runMcpCap(args, calls, { cwd });
    const sizes = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).result)
      .map(({ content, statusMessage }) => [content[0].text, statusMessage].map((text) => Buffer.byteLength(text)));
    expect(sizes).toEqual([
      [899, 900],
      [449, 450],
      [359, 360],
      [699, 700],
    ]);
    expect(stderr).toBe(
      "mcp-cap: warning: worker.tool_output: expected limits in bytes, received limits in tokens, which mcp-cap cannot count: 1.8 bytes stand for each token. Write: default_max_bytes = …, in a file for mcp-cap\n",
    );
  });

  it("X9: keep of the manifest, of all tools and of one, in results, errors, resources and prompts", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "mcp-cap-"));
    writeFileSync(
      join(cwd, "pod.toml"),
      '[worker.tool_output]\ndefault_max_bytes = 1000\nkeep = "tail"\nper_tool.a = { max_bytes = 900, keep = "ends" }\nper_tool.b = { keep = "head" }\n',
    );
    const text = `begin ${"x".repeat(5_000)} end`;
    const answers = [
      { result: { content: [{ type: "text", text }], structuredContent: { text } } },
      { error: { code: 1, message: text } },
      { result: { contents: [{ uri: "file:///a", text }] } },
      { result: { messages: [{ role: "user", content: { type: "text", text } }] } },
    ];
    const server = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id } = JSON.parse(line);
      console.log(JSON.stringify({ jsonrpc: "2.0", id, ...${JSON.stringify(answers)}[id % 10] }));
    })`;
    const calls = [
      ...["a", "b", "c"].map((name, index) => request(10 * index, "tools/call", { name })),
      request(1, "tools/call", { name: "c" }),
      request(2, "resources/read", { uri: "file:///a" }),
      request(3, "prompts/get", { name: "c" }),
      request(40, "tools/list", {}),
    ];
    const { stdout, stderr } = await runMcpCap(["--manifest", "pod.toml", ...script(server)], calls.join(""), { cwd });
    expect(stderr).toBe("");
    const [ends, head, tail, error, resource, prompt] = stdout.split("\n").map((line) => line && JSON.parse(line));
    const marker = String.raw`\[truncated: \d+ bytes dropped, refine your query\]`;
    expect(ends.result.content[0].text).toMatch(new RegExp(`^begin x+\n\n${marker}\n\nx+ end$`));
    expect(ends.result.structuredContent.text).toMatch(/^begin x+…x+ end$/);
    expect(Buffer.byteLength(ends.result.content[0].text) + 1).toBe(900);
    expect(head.result.content[0].text).toMatch(new RegExp(`^begin x+\n\n${marker}$`));
    expect(Buffer.byteLength(head.result.content[0].text) + 1).toBe(1_000);
    const end = new RegExp(`^${marker}\n\nx+ end$`);
    expect(tail.result.content[0].text).toMatch(end);
    expect(tail.result.structuredContent.text).toMatch(/^x+ end$/);
    expect(error.error.message).toMatch(end);
    expect(resource.result.contents[0].text).toMatch(end);
    expect(prompt.result.messages[0].content.text).toMatch(end);
    expect(tail.result._meta["pod/truncation"].content.keep).toBe("tail");
  });

  it("X9: no file is read where none is named", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "mcp-cap-"));
    writeFileSync(join(cwd, "pod.toml"), "no toml");
    const { stdout, stderr } = await runMcpCap(script(TALKER), request(1, "tools/call", { name: "a" }), { cwd });
    expect(JSON.parse(stdout).result.content[0].text.length).toBe(4_900);
    expect(stderr).toBe("");
  });

  it("X9: --tools-only leaves the texts of resources and prompts alone", async () => {
    const calls =
      request(1, "resources/read", {}) +
      request(2, "prompts/get", { name: "a" }) +
      request(3, "tools/call", { name: "a" });
    const { stdout } = await runMcpCap(["--tools-only", "--max-bytes", "500", ...script(TALKER)], calls);
    expect(stdout.split("\n").map((line) => line.length > 4_000)).toEqual([true, true, false, false]);
  });

  it("X10: --stats writes a table of calls and bytes to stderr at the end, and no text of a tool", async () => {
    const calls = [1, 2]
      .map((id) => request(id, "tools/call", { name: "a\u001b[2J", arguments: { key: "secret" } }))
      .join("");
    const { stderr, stdout } = await runMcpCap(["--stats", "--max-bytes", "500", ...script(TALKER)], calls);
    const out = stdout
      .trimEnd()
      .split("\n")
      .reduce((sum, line) => sum + JSON.stringify(JSON.parse(line).result).length, 0);
    expect(stderr).toBe(
      [
        "tool        calls  capped  largest  bytes in  bytes out",
        `a\\u{1b}[2J      2       2    4,939     9,878      ${out.toLocaleString("en-US")}`,
        `(all)           2       2    4,939     9,878      ${out.toLocaleString("en-US")}`,
        "",
      ].join("\n"),
    );
  });

  it("X10: --stats-file writes the table there, and --dry-run changes nothing", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "mcp-cap-"));
    const args = ["--dry-run", "--stats-file", "stats.txt", "--max-bytes", "500", ...script(TALKER)];
    const { stdout, stderr } = await runMcpCap(args, request(1, "tools/call", { name: "a" }), { cwd });
    expect(JSON.parse(stdout).result.content[0].text.length).toBe(4_900);
    expect(stderr).toBe("");
    expect(readFileSync(join(cwd, "stats.txt"), "utf8")).toMatch(/^a +1 +1 +4,939 +4,939 +\d+$/m);
  });

  it("X10: --dry-run alone writes the table to stderr", async () => {
    const { stderr } = await runMcpCap(["--dry-run", ...script(TALKER)], request(1, "tools/call", { name: "a" }));
    expect(stderr).toMatch(/^a +1 +0 +4,939 +4,939 +4,939$/m);
  });

  it("X9: a limit of a tool that the server does not have is a warning, with the tool that was meant", async () => {
    const program = `console.log(JSON.stringify({ id: 1, result: { tools: [{ name: "read_file" }, { name: "list" }] } })); ${ECHO.replace("process.stdout", "process.stderr")}`;
    const late = program
      .replace("console.log", 'process.stdin.once("data", () => console.log')
      .replace("] } }))", "] } })))");
    const { stderr } = await runMcpCap(["--max-bytes", "raed_file=5", ...script(late)], request(1, "tools/list", {}));
    expect(stderr).toContain("--max-bytes raed_file: the server has no such tool. Write: --max-bytes read_file=N");
  });
});
