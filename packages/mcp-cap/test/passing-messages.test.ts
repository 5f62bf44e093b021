import { describe, expect, it } from "vitest";
import { answer, InProcessProxy } from "./support/in-process-proxy.js";

const long = "x".repeat(5_000);

function message(method: string, params: object, id?: string | number): string {
  return JSON.stringify({ jsonrpc: "2.0", ...(id !== undefined && { id }), method, params });
}

/** What a server says of itself, besides answers. */
const FROM_SERVER: readonly (readonly [what: string, line: string])[] = [
  ["progress", message("notifications/progress", { progressToken: 1, progress: 0.5, message: long })],
  ["logging", message("notifications/message", { level: "info", data: { text: long } })],
  ["a list that changed: tools", message("notifications/tools/list_changed", {})],
  ["a list that changed: resources", message("notifications/resources/list_changed", {})],
  ["a list that changed: prompts", message("notifications/prompts/list_changed", {})],
  ["a resource that changed", message("notifications/resources/updated", { uri: "file:///a" })],
  ["a cancellation", message("notifications/cancelled", { requestId: 1, reason: long })],
  ["sampling", message("sampling/createMessage", { messages: [{ content: { type: "text", text: long } }] }, "s-1")],
  ["elicitation", message("elicitation/create", { message: long, requestedSchema: { type: "object" } }, 1)],
  ["roots", message("roots/list", {}, 2)],
  ["an unknown method", message("made/up", { text: long }, 3)],
  ["an unknown notification", message("notifications/made-up", { text: long })],
];

/** What a client says, besides calls. */
const FROM_CLIENT: readonly (readonly [what: string, line: string])[] = [
  ["the answer to sampling", answer({ role: "assistant", content: { type: "text", text: long } }, "s-1")],
  ["the answer to elicitation", answer({ action: "accept", content: { text: long } }, 1)],
  ["the answer to roots", answer({ roots: [{ uri: `file:///${long}` }] }, 2)],
  ["an error", JSON.stringify({ jsonrpc: "2.0", id: 3, error: { code: -32_601, message: long } })],
  ["a cancellation", message("notifications/cancelled", { requestId: 1 })],
  ["a level of logging", message("logging/setLevel", { level: "debug" }, 4)],
  ["a call of any size", message("tools/call", { name: "a", arguments: { text: long } }, 5)],
];

describe("while a call with the same id waits", () => {
  // Mutant seen to fail: whatever has an id taken for an answer.
  it.each(FROM_SERVER)("X1: %s of the server's passes byte for byte", (_what, line) => {
    const proxy = new InProcessProxy();
    for (const id of [1, 2, 3, "s-1"]) proxy.fromClient(`${message("tools/call", { name: "a" }, id)}\n`);
    expect(proxy.fromServer(` ${line} \r\n`)).toBe(` ${line} \r\n`);
    expect(proxy.stats.list()).toEqual([]);
  });

  it.each(FROM_CLIENT)("X1: %s of the client's passes byte for byte", (_what, line) => {
    const proxy = new InProcessProxy();
    proxy.fromServer(`${message("sampling/createMessage", {}, "s-1")}\n`);
    expect(proxy.fromClient(` ${line} \r\n`)).toBe(` ${line} \r\n`);
  });

  it("X1: all of it passes in order, with the answers between", () => {
    const proxy = new InProcessProxy();
    proxy.fromClient(`${message("tools/call", { name: "a" }, 1)}\n`);
    const lines = [...FROM_SERVER.map(([, line]) => line), answer({ content: [] }), answer({}, 9)];
    expect(proxy.fromServer(lines.map((line) => `${line}\n`).join("")).split("\n")).toEqual([...lines, ""]);
  });
});

describe("an error that is too big", () => {
  it.each(["tools/call", "tasks/result", "tasks/get", "resources/read", "prompts/get"])(
    "X2: as the answer to %s is cut in message and data",
    (method) => {
      const error = { code: -32_000, message: long, data: long };
      const sent = new InProcessProxy().call(method, { name: "a" }, JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
      for (const text of [JSON.parse(sent).error.message, JSON.parse(sent).error.data]) {
        expect(text).toMatch(/\[truncated: \d+ bytes dropped, refine your query\]$/);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
      }
    },
  );
});
