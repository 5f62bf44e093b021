import { describe, expect, it } from "vitest";
import { answer, InProcessProxy } from "./support/in-process-proxy.js";

const tool = {
  name: "read",
  title: "Read",
  description: `Reads a file. ${"x".repeat(5_000)}`,
  inputSchema: { type: "object", required: ["path"], additionalProperties: false },
  outputSchema: { type: "object", properties: { text: { type: "string", minLength: 1 } }, required: ["text"] },
  _meta: { ours: 1 },
};

describe("tools/list", () => {
  // Mutant seen to fail: the `_meta` of the tool dropped.
  it("X5: tells each tool's limit, loosens its output schema, and leaves all else alone, however long", () => {
    const proxy = new InProcessProxy({ perTool: { read: 2_048 } });
    const other = { name: "other", inputSchema: { type: "object" } };
    const sent = proxy.call("tools/list", {}, answer({ tools: [tool, other], nextCursor: "c", ttlMs: 5 }));
    expect(JSON.parse(sent)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        tools: [
          {
            ...tool,
            outputSchema: { type: "object", properties: { text: { type: "string" } } },
            _meta: { ours: 1, "pod/limit": { maxBytes: 2_048 } },
          },
          { ...other, _meta: { "pod/limit": { maxBytes: 1_024 } } },
        ],
        nextCursor: "c",
        ttlMs: 5,
      },
    });
  });

  it.each([
    answer({}),
    answer({ tools: "none" }),
    answer([1]),
    '{"id":1,"error":{"code":-32601,"message":"no"}}',
    '{"id":1,"result":{"tools":[}',
  ])("X1: passes where it lists no tools: %s", (line) => {
    const sent = new InProcessProxy().call("tools/list", {}, line);
    expect(sent.replace(/ /g, "")).toBe(line.replace(/ /g, ""));
  });

  it("X6: keeps the digits of a default and the order of a schema", () => {
    const sent = new InProcessProxy().call(
      "tools/list",
      {},
      '{"id":1,"result":{"tools":[{"name":"a","inputSchema":{"z":1.0,"a":1e400}}]}}',
    );
    expect(sent).toBe(
      '{"id":1,"result":{"tools":[{"name":"a","inputSchema":{"z":1.0,"a":1e400},"_meta":{"pod/limit":{"maxBytes":1024}}}]}}',
    );
  });
});
