import { JSONRPCErrorResponseSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { answer, InProcessProxy, textResult } from "./support/in-process-proxy.js";

const CEILING = 2_000;
const long = "x".repeat(5_000);
const ping = `${answer({}, "ping")}\n`;

function createProxy(): InProcessProxy {
  return new InProcessProxy({ maxLineBytes: CEILING });
}

describe("a line of the server's that is longer than the ceiling", () => {
  // Mutant seen to fail: the rest of the line taken for a line of its own.
  it.each([
    ["first", `{"id":"a\\"b","result":{"text":"${long}","id":1}}`, String.raw`"a\"b"`],
    ["last", `{"jsonrpc":"2.0","result":{"text":"${long}","id":1,"list":[{"id":2}]},"id": 12 }`, "12"],
    ["between", `{"error":{"id":1,"code":5,"message":"${long}"},"id":-7,"extra":"${long}"}`, "-7"],
    ["behind brackets and quotes in texts", `{"result":["\\"}],\\\\","${long}","\\\\\\""],"id":3}`, "3"],
  ])("X7: is answered with an error by its id, which stands %s, and the stream goes on", (_where, line, id) => {
    const sent = createProxy().fromServer(`${line}\n${ping}`);
    expect(sent.endsWith(`\n${ping}`)).toBe(true);
    const error = sent.slice(0, -ping.length);
    expect(error).toMatch(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,`);
    expect(JSONRPCErrorResponseSchema.safeParse(JSON.parse(error)).success).toBe(true);
    expect(error).toContain("longer than 2000 bytes. Ask for less, or write --max-line-bytes");
    expect(error).not.toContain("xxx");
  });

  it("X7: of exactly the ceiling is read, and of one byte more is not", () => {
    for (const [extra, isRead] of [
      [0, true],
      [1, false],
    ] as const) {
      const empty = answer(textResult(""));
      const line = answer(textResult("x".repeat(CEILING - empty.length + extra)));
      expect(createProxy().fromServer(`${line}\n`) === `${line}\n`).toBe(isRead);
    }
  });

  it("X7: that is a request or a notification passes byte for byte, where its method stands before the ceiling", () => {
    const proxy = createProxy();
    const request = `{"jsonrpc":"2.0","id":4,"method":"sampling/createMessage","params":{"text":"${long}"}}\n`;
    const notification = `{"method":"notifications/message","params":{"data":"${long}"}}\n`;
    expect(proxy.fromServer(request, notification, ping)).toBe(request + notification + ping);
  });

  it("X7: that is a request with its method behind the ceiling is answered to the server, between two lines of the client's", () => {
    const proxy = createProxy();
    const half = '{"id":1,"met';
    expect(proxy.fromClient(half)).toBe(half);
    expect(proxy.fromServer(`{"params":{"text":"${long}"},"method":"roots/list","id":"r"}\n${ping}`)).toBe(ping);
    expect(proxy.told).toBe("");
    const lines = proxy.fromClient('hod":"ping"}\n{"id":2,').split("\n");
    expect(lines[0]).toBe('hod":"ping"}');
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ id: "r", error: { code: -32_603 } });
    expect(lines[2]).toBe('{"id":2,');
  });

  it("X7: that is a batch is answered message by message", () => {
    const proxy = createProxy();
    const batch = `[{"result":"${long}","id":1},{"id":2,"error":{}},{"method":"a"},{"params":{},"method":"b","id":3}]\n`;
    const sent = proxy
      .fromServer(batch)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    expect(sent).toEqual([1, 2]);
    expect(JSON.parse(proxy.told).id).toBe(3);
  });

  it("X7 X10: that has no id is a warning without any of its text", () => {
    const proxy = createProxy();
    expect(proxy.fromServer(`{"secret":"${long}"}\n${long}\n${ping}`)).toBe(ping);
    expect(proxy.warnings).toEqual(
      Array(2).fill("a line of the server's is longer than 2000 bytes, and no id. It was dropped"),
    );
  });

  it("X10: passes in a dry run", () => {
    const line = `${answer(textResult(long))}\n`;
    expect(new InProcessProxy({ maxLineBytes: CEILING, isDryRun: true }).fromServer(line)).toBe(line);
  });

  it("X7: needs no memory for what is beyond the ceiling: 64 MiB pass, and the id behind it is found", () => {
    const proxy = new InProcessProxy({ maxLineBytes: 2 ** 20 });
    const chunk = Buffer.alloc(2 ** 20, `${"a".repeat(1_000)}\\"[{`);
    const before = process.memoryUsage().rss;
    proxy.fromServer('{"result":["');
    for (let megabyte = 0; megabyte < 64; megabyte++) proxy.fromServer(chunk);
    const grown = process.memoryUsage().rss - before;
    expect(JSON.parse(proxy.fromServer('"],"id":12}\n'))).toMatchObject({ id: 12, error: { code: -32_603 } });
    expect(grown).toBeLessThan(50 * 2 ** 20);
  });

  it("X7: of the client's has no ceiling: it passes as it comes, and its call is noted", () => {
    const proxy = createProxy();
    const request = `{"params":{"arguments":"${long}","name":"a"},"id":5,"method":"tools/call"}\n`;
    expect(proxy.fromClient(request.slice(0, 3_000))).toBe(request.slice(0, 3_000));
    expect(proxy.fromClient(request.slice(3_000))).toBe(request.slice(3_000));
    const sent = proxy.fromServer(`${answer(textResult("x".repeat(1_900)), 5)}\n`);
    expect(sent).toContain("[truncated: ");
  });

  it("X7: with more values than fit in memory is answered with an error by its id", () => {
    const proxy = new InProcessProxy();
    const sent = proxy.call("tools/call", { name: "a" }, answer("…").replace('"…"', `[${"0,".repeat(4_000_000)}0]`));
    expect(JSON.parse(sent)).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining("more than 4000000 values") },
    });
  });
});
