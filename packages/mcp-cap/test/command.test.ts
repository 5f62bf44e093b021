import { once } from "node:events";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { runMcpCap, script, startMcpCap, waitForEnd } from "./support/run-mcp-cap.js";

const ECHO = "process.stdin.pipe(process.stdout)";

describe("the process", () => {
  it("X8: ends with the server's exit status, and passes its last line, newline or not, and its stderr as they are", async () => {
    const program = `process.stderr.write("\\u001b[1mhello\\n"); process.stdout.write("first\\nlast"); process.exitCode = 7`;
    expect(await runMcpCap(script(program))).toEqual({
      stdout: "first\nlast",
      stderr: "\u001b[1mhello\n",
      exitStatus: 7,
      signal: null,
    });
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "X8: passes %s on to the server, and ends as it does",
    async (signal) => {
      const child = startMcpCap(
        script(`process.on("${signal}", () => { console.log("got it"); process.exit(9) }); console.log("up"); ${ECHO}`),
      );
      const ended = waitForEnd(child);
      await once(child.stdout, "data");
      child.kill(signal);
      const [rest, ending] = await Promise.all([text(child.stdout), ended]);
      expect({ rest, ...ending }).toEqual({ rest: "got it\n", exitStatus: 9, signal: null });
    },
  );

  it("X6: keeps the digits of numbers in a large result, and those of its id", async () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => `{"id":900719925474099${300 + index},"size":1e400}`);
    const result = `{"content":[],"structuredContent":{"rows":[${rows.join(",")}]}}`;
    const program = `process.stdin.once("data", () => console.log('{"id":9007199254740993,"result":${result}}'))`;
    const call = '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"a"}}\n';
    const { stdout } = await runMcpCap(script(program), call);
    const kept = /^\{"id":9007199254740993,"result":.*"rows":\[(.*?)\]/.exec(stdout)?.[1] ?? "";
    expect(kept.length).toBeGreaterThan(16_000);
    expect(rows.join(",").startsWith(kept)).toBe(true);
  });

  it("X8: dies of the signal that the server died of, and leaves no process behind", async () => {
    const child = startMcpCap(script(`console.log(process.pid); ${ECHO}`));
    const ended = waitForEnd(child);
    const [line] = await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await ended).toEqual({ exitStatus: null, signal: "SIGTERM" });
    expect(() => process.kill(Number(line), 0)).toThrow("ESRCH");
  });

  it("X8: ends the server's input where the client ends its own, and then gives all that the server still says", async () => {
    const program = `process.stdin.on("end", () => process.stdout.write("x".repeat(1e6) + "\\n")).resume()`;
    const { stdout, exitStatus } = await runMcpCap(script(program), "bye\n");
    expect([stdout.length, exitStatus]).toEqual([1_000_001, 0]);
  });

  it("X8: ends the server where the client reads no more", async () => {
    const child = startMcpCap(
      script(`setInterval(() => console.log("x".repeat(1e5)), 1); process.stdout.on("error", () => process.exit(3))`),
    );
    const ended = waitForEnd(child);
    await once(child.stdout, "data");
    child.stdout.destroy();
    expect(await ended).toEqual({ exitStatus: 3, signal: null });
  });

  it("X8: lets a client write to a server that has ended", async () => {
    const child = startMcpCap(script("process.stdin.destroy(); setTimeout(() => process.exit(4), 300)"));
    const ended = waitForEnd(child);
    child.stdout.resume();
    for (let line = 0; line < 100; line++) child.stdin.write(`${"x".repeat(10_000)}\n`);
    expect(await ended).toEqual({ exitStatus: 4, signal: null });
  });

  it.each([
    ["no such command", ["--", "no-such-command-anywhere"], 127, "no such command"],
    ["a command that is no program", ["--", tmpdir()], 126, "EACCES"],
    ["no command", [], 2, "missing required argument 'command'"],
    ["an unknown option", ["--max-byte", "5", "x"], 2, "--max-bytes"],
    ["a limit of 0", ["--max-bytes", "0", "x"], 2, "1 to 2147483647"],
    ["a limit of a tool that is no number", ["--max-bytes", "read=32k", "x"], 2, "Write: 32768"],
    ["a limit of no tool", ["--max-bytes", "=5", "x"], 2, "Write: read_text_file=32768"],
    ["a manifest that is missing", ["--manifest", "no/such.toml", "x"], 1, "no/such.toml: error"],
  ])("X9: tells %s, with its exit status", async (_what, args, exitStatus, told) => {
    const ran = await runMcpCap(args);
    expect(ran).toMatchObject({ stdout: "", exitStatus });
    expect(ran.stderr).toContain(told);
  });
});
