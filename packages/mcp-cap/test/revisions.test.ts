import { describe, expect, it } from "vitest";
import { answer, InProcessProxy, textResult } from "./support/in-process-proxy.js";

const long = "x".repeat(5_000);
const marker = /\[truncated: \d+ bytes dropped, refine your query\]/;
const TASK = {
  taskId: "t-1",
  status: "working",
  ttl: 60_000,
  createdAt: "2026-11-30T10:00:00Z",
  lastUpdatedAt: "2026-11-30T10:00:00Z",
};

describe("revision 2025-06-18", () => {
  it("X4: the handshake and its capabilities pass, and a result in both forms is capped in both", () => {
    const proxy = new InProcessProxy();
    const greeting = answer({
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "s", version: "1" },
      instructions: long,
    });
    expect(proxy.call("initialize", { protocolVersion: "2025-06-18" }, greeting)).toBe(greeting);
    const link = { type: "resource_link", uri: "file:///a", name: "a", description: long };
    const { result } = JSON.parse(
      proxy.call(
        "tools/call",
        { name: "a" },
        answer({ content: [link], structuredContent: { list: Array(900).fill("abc") } }),
      ),
    );
    expect(Buffer.byteLength(JSON.stringify(result.content))).toBeLessThan(1_200);
    expect(Buffer.byteLength(JSON.stringify(result.structuredContent))).toBeLessThanOrEqual(1_024);
  });
});

describe("revision 2025-11-25", () => {
  // Mutant seen to fail: the immediate response passed on.
  it("X4: a call that becomes a task is capped in tasks/result, by the limit of its tool", () => {
    const proxy = new InProcessProxy({ perTool: { slow: 2_048 } });
    const created = answer({ task: TASK });
    expect(proxy.call("tools/call", { name: "slow", task: { ttl: 60_000 } }, created)).toBe(created);
    const status = answer({ ...TASK, status: "completed" }, 2);
    expect(proxy.call("tasks/get", { taskId: "t-1" }, status, 2)).toBe(status);
    const related = { "io.modelcontextprotocol/related-task": { taskId: "t-1" } };
    const { result } = JSON.parse(
      proxy.call("tasks/result", { taskId: "t-1" }, answer({ ...textResult(long), _meta: related }, 3), 3),
    );
    expect(Buffer.byteLength(result.content[0].text) + 1).toBe(2_048);
    expect(result._meta).toMatchObject(related);
    expect(proxy.stats.list().map(([name, { calls }]) => [name, calls])).toEqual([["slow", 3]]);
  });

  it("X4: what a task says of itself is capped: its status, and what the model is told at once", () => {
    const proxy = new InProcessProxy();
    const key = "io.modelcontextprotocol/model-immediate-response";
    const created = answer({ task: { ...TASK, statusMessage: long }, _meta: { [key]: long, other: long } });
    const { result } = JSON.parse(proxy.call("tools/call", { name: "slow" }, created));
    expect(result.task.statusMessage).toMatch(marker);
    expect(result._meta[key]).toMatch(marker);
    expect(result._meta.other).toBe(long);
    expect(
      JSON.parse(proxy.call("tasks/get", { taskId: "t-1" }, answer({ ...TASK, statusMessage: long }))).result
        .statusMessage,
    ).toMatch(marker);
  });

  it("X4: the error that asks for a URL elicitation keeps its code and its data", () => {
    const error = {
      code: -32_042,
      message: long,
      data: { elicitations: [{ mode: "url", elicitationId: "e", url: "https://example.com" }] },
    };
    const sent = JSON.parse(
      new InProcessProxy().call("tools/call", { name: "a" }, JSON.stringify({ jsonrpc: "2.0", id: 1, error })),
    );
    expect(sent.error).toMatchObject({ code: error.code, data: error.data, message: expect.stringMatching(marker) });
  });
});

describe("revision 2026-07-28", () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };

  it("X4: a call without any handshake is capped, and structured content may be an array or a text", () => {
    const proxy = new InProcessProxy();
    for (const structuredContent of [Array(900).fill("abc"), long]) {
      const sent = answer({ resultType: "complete", ...textResult(long), structuredContent });
      const { result } = JSON.parse(proxy.call("tools/call", { name: "a", _meta: meta }, sent));
      expect(result.resultType).toBe("complete");
      expect(Array.isArray(result.structuredContent)).toBe(Array.isArray(structuredContent));
      expect(Buffer.byteLength(JSON.stringify(result.structuredContent))).toBeLessThanOrEqual(1_024);
    }
  });

  it("X4: a result that asks for input passes with its state", () => {
    const asks = answer({
      resultType: "input_required",
      inputRequests: { a: { method: "roots/list" } },
      requestState: long,
    });
    expect(new InProcessProxy().call("tools/call", { name: "a", _meta: meta }, asks)).toBe(asks);
  });

  it("X4: the result and the error inside of tasks/get and notifications/tasks are capped, by the limit of the tool", () => {
    const proxy = new InProcessProxy({ perTool: { slow: 2_048 } });
    const created = answer({ resultType: "task", ...TASK });
    expect(proxy.call("tools/call", { name: "slow", _meta: meta }, created)).toBe(created);
    const done = { ...TASK, status: "completed", result: textResult(long) };
    const got = JSON.parse(
      proxy.call("tasks/get", { taskId: "t-1" }, answer({ resultType: "complete", ...done })),
    ).result;
    expect(Buffer.byteLength(got.result.content[0].text) + 1).toBe(2_048);
    const announced = JSON.parse(
      proxy.fromServer(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/tasks", params: done })}\n`),
    );
    expect(announced.params).toEqual({ ...done, result: got.result });
    const failed = answer({ ...TASK, status: "failed", error: { code: -32_000, message: long } });
    expect(JSON.parse(proxy.call("tasks/get", { taskId: "t-1" }, failed)).result.error.message).toMatch(marker);
  });

  it("X4: server/discover, subscriptions and tasks/update pass", () => {
    const proxy = new InProcessProxy();
    for (const method of ["server/discover", "subscriptions/listen", "tasks/update", "tasks/cancel"]) {
      const sent = answer({ resultType: "complete", instructions: long });
      expect(proxy.call(method, { _meta: meta }, sent)).toBe(sent);
    }
  });
});

describe("numbers", () => {
  it("X6: keep their digits in a structured result that is cut", () => {
    const rows = Array.from(
      { length: 500 },
      (_, index) => `{"id":90071992547409${93 + index},"size":1e400,"share":1.0}`,
    );
    const line = `{"id":1,"result":{"content":[],"structuredContent":{"rows":[${rows.join(",")}]}}}`;
    const sent = new InProcessProxy().call("tools/call", { name: "a" }, line);
    const kept = /"rows":\[(.*?)\]/.exec(sent)?.[1] ?? "";
    expect(kept.length).toBeGreaterThan(800);
    expect(rows.join(",").startsWith(kept)).toBe(true);
  });
});
