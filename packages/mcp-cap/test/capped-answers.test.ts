import { describe, expect, it } from "vitest";
import { answer, InProcessProxy, textResult } from "./support/in-process-proxy.js";

const long = "x".repeat(5_000);
const marker = /\[truncated: \d+ bytes dropped, refine your query\]/;

describe("an answer that is too big", () => {
  // Mutants seen to fail: the error passed on; `ui://` capped.
  it("X2: to tools/call is cut in text and structure, within its tool's limit", () => {
    const proxy = new InProcessProxy({ perTool: { read: 2_048 } });
    const sent = proxy.call(
      "tools/call",
      { name: "read" },
      answer({ ...textResult(long), structuredContent: { text: long } }),
    );
    const { result } = JSON.parse(sent);
    expect(result.content[0].text).toMatch(marker);
    expect(Buffer.byteLength(result.content[0].text) + 1).toBe(2_048);
    expect(Buffer.byteLength(JSON.stringify(result.structuredContent))).toBeLessThanOrEqual(2_048);
    expect(result._meta["pod/truncation"].structuredContent.maxBytes).toBe(2_048);
  });

  it("X2: to tools/call is cut where it is an error of JSON-RPC, or of a tool", () => {
    const proxy = new InProcessProxy();
    const error = { code: -32_000, message: long, data: { stack: long } };
    const sent = proxy.call("tools/call", { name: "a" }, JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
    const read = JSON.parse(sent);
    expect(read.error.code).toBe(-32_000);
    expect(Buffer.byteLength(read.error.message)).toBeLessThanOrEqual(1_024);
    expect(Buffer.byteLength(JSON.stringify(read.error.data))).toBeLessThanOrEqual(1_024);
    const failed = proxy.call("tools/call", { name: "a" }, answer({ ...textResult(long), isError: true }));
    expect(JSON.parse(failed).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(marker) }],
    });
  });

  it("X2: to resources/read is cut in its texts together; blobs and ui:// resources stay", () => {
    const blob = { uri: "file:///b", blob: "A".repeat(4_000) };
    const page = { uri: "ui://page", mimeType: "text/html", text: long };
    const texts = [500, 5_000, 10].map((length, index) => ({ uri: `file:///${index}`, text: "é".repeat(length / 2) }));
    const sent = new InProcessProxy().call(
      "resources/read",
      { uri: "file:///" },
      answer({ contents: [blob, page, ...texts] }),
    );
    const { contents, _meta } = JSON.parse(sent).result;
    expect(contents.slice(0, 3)).toEqual([blob, page, texts[0]]);
    expect(contents.length).toBe(4);
    expect(contents[3].text).toMatch(marker);
    expect(Buffer.byteLength(contents[2].text + contents[3].text)).toBeLessThanOrEqual(1_024);
    const { originalBytes, keptBytes, droppedBytes } = _meta["pod/truncation"];
    expect([originalBytes, keptBytes + droppedBytes]).toEqual([5_510, 5_510]);
  });

  it("X2: to prompts/get is cut in the texts of its messages, embedded ones too; an image stays", () => {
    const image = { role: "user", content: { type: "image", data: "AAAA", mimeType: "image/png" } };
    const embedded = { role: "user", content: { type: "resource", resource: { uri: "file:///a", text: long } } };
    const last = { role: "assistant", content: { type: "text", text: "the end" } };
    const sent = new InProcessProxy().call(
      "prompts/get",
      { name: "a" },
      answer({ description: "d", messages: [embedded, image, last] }),
    );
    const { description, messages } = JSON.parse(sent).result;
    expect(description).toBe("d");
    expect(messages.length).toBe(2);
    expect(messages[0].content.resource.text).toMatch(marker);
    expect(messages[1]).toEqual(image);
  });

  it("X2: to tools/call of a shape that no revision knows is cut all the same", () => {
    for (const result of [long, [long, long], { content: long }]) {
      const sent = new InProcessProxy().call("tools/call", { name: "a" }, answer(result));
      expect(Buffer.byteLength(JSON.stringify(JSON.parse(sent).result))).toBeLessThanOrEqual(1_300);
    }
  });

  it("X2: is cut where its bytes are few, but no UTF-8, and each becomes three", () => {
    const proxy = new InProcessProxy();
    const [head, tail] = answer(textResult("…")).split("…");
    proxy.fromClient('{"id":1,"method":"tools/call","params":{"name":"a"}}\n');
    const sent = proxy.fromServer(
      Buffer.concat([Buffer.from(head ?? ""), Buffer.alloc(900, 0xff), Buffer.from(`${tail}\n`)]),
    );
    expect(JSON.parse(sent).result.content[0].text).toMatch(marker);
  });

  it("X1: keeps every byte around what is cut: spaces, the order of members, an id's digits, a carriage return", () => {
    const proxy = new InProcessProxy();
    proxy.fromClient('{"id":1e0,"method":"tools/call","params":{"name":"a"}}\r\n');
    const result = JSON.stringify(textResult(long));
    const sent = proxy.fromServer(` { "result" : ${result} , "x-odd":[1.0,  2] , "id" : 1.0 , "jsonrpc":"2.0"}\r\n`);
    const [before, after] = sent.split(/\{"content":.*\}(?= , "x-odd")/);
    expect([before, after]).toEqual([' { "result" : ', ' , "x-odd":[1.0,  2] , "id" : 1.0 , "jsonrpc":"2.0"}\r\n']);
  });

  it("X1: is the one member of its batch that changes", () => {
    const proxy = new InProcessProxy();
    proxy.fromClient('[{"id":1,"method":"tools/call","params":{"name":"a"}},{"id":"2","method":"ping"}]\n');
    const big = answer(textResult(long));
    const others = ['{"id":"2","result":{} }', '{"method":"notifications/message","params":{"data":1e400}}'];
    const sent = proxy.fromServer(`[ ${others[0]}, ${big} ,${others[1]}]\n`);
    expect(sent.startsWith(`[ ${others[0]}, {"jsonrpc"`)).toBe(true);
    expect(sent.endsWith(` ,${others[1]}]\n`)).toBe(true);
    expect(JSON.parse(sent)[1].result.content[0].text).toMatch(marker);
  });

  it("X1: passes where it is not of a capped method, or where nobody asked", () => {
    const proxy = new InProcessProxy({ methods: ["tools/call"] });
    for (const method of ["resources/read", "resources/list", "completion/complete", "made/up"]) {
      const line = answer({ ...textResult(long), contents: [{ uri: "a", text: long }] });
      expect(proxy.call(method, { name: "a" }, line)).toBe(line);
    }
    const unknown = answer(textResult(long), 77);
    expect(proxy.fromServer(`${unknown}\n`)).toBe(`${unknown}\n`);
    const request = `{"id":1,"method":"sampling/createMessage","params":{"messages":["${long}"]}}\n`;
    expect(proxy.fromServer(request)).toBe(request);
  });

  it("X1: passes byte for byte where it needs no cut, whatever its form", () => {
    const proxy = new InProcessProxy();
    const line = String.raw`{"id":1,"result":{"content":[{"type":"text","text":"\ud800 \u0041"}],"n":[9007199254740993,1e400]} , "z":1}`;
    expect(proxy.call("tools/call", { name: "a" }, line)).toBe(line);
    const image = answer({ content: [{ type: "image", mimeType: "image/png", data: "A".repeat(100_000) }] });
    expect(proxy.call("tools/call", { name: "a" }, image)).toBe(image);
  });
});

describe("ids", () => {
  it.each([
    ["a number and a text of its digits", "1", '"1"'],
    ["numbers above 2^53", "9007199254740993", "9007199254740992"],
    ["texts", '"a"', String.raw`"a\u0000"`],
  ])("X3: tell %s apart", (_what, capped, passed) => {
    const proxy = new InProcessProxy();
    proxy.fromClient(
      `{"id":${capped},"method":"tools/call","params":{"name":"a"}}\n{"id":${passed},"method":"tools/call","params":{"name":"b"}}\n`,
    );
    proxy.fromServer(`{"id":${capped},"result":{}}\n{"id":${passed},"result":{}}\n{"id":${passed},"result":{}}\n`);
    const counted = proxy.stats.list().map(([name, { calls }]) => `${name} ${calls}`);
    expect(counted.sort()).toEqual(["a 1", "b 2"]);
  });

  it("X3: of an answer may be a text for a number, as clients allow", () => {
    const proxy = new InProcessProxy();
    proxy.fromClient('{"id":5,"method":"tools/call","params":{"name":"a"}}\n');
    expect(JSON.parse(proxy.fromServer(`${answer(textResult(long), "5")}\n`)).result.content[0].text).toMatch(marker);
  });

  it("X3: may be answered twice, late, or after a cancellation: each answer is capped", () => {
    const proxy = new InProcessProxy();
    proxy.fromClient('{"id":1,"method":"tools/call","params":{"name":"a"}}\n');
    proxy.fromClient('{"method":"notifications/cancelled","params":{"requestId":1}}\n');
    const [first, second] = [0, 1].map(() => proxy.fromServer(`${answer(textResult(long))}\n`));
    expect(first).toMatch(marker);
    expect(second).toBe(first);
  });

  it("X3: may be used again for another method, whose answer passes", () => {
    const proxy = new InProcessProxy();
    proxy.call("tools/call", { name: "a" }, answer({}));
    const list = answer({ resources: [], ...textResult(long) });
    expect(proxy.call("resources/list", {}, list)).toBe(list);
  });
});
