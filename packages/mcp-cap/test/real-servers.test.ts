import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as TransportV2 } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLongNamedTree } from "./support/long-named-tree.js";
import { type CalledTool, REAL_CLIENTS, type RealClient } from "./support/real-client.js";
import { listChangedMethods, recordSession, type Session } from "./support/record-session.js";

const LIMIT = 16_384;
const resolve = createRequire(import.meta.url).resolve;
let tree: string;
let memoryFile: string;

beforeAll(() => {
  tree = createLongNamedTree();
  memoryFile = join(mkdtempSync(join(tmpdir(), "mcp-cap-memory-")), "memory.jsonl");
  const entities = Array.from({ length: 1_500 }, (_, index) => ({
    type: "entity",
    name: `entity-${index}`,
    entityType: "thing",
    observations: [`has been seen ${index} times, and is described at some length here`],
  }));
  writeFileSync(memoryFile, entities.map((entity) => JSON.stringify(entity)).join("\n"));
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe.each(Object.entries(REAL_CLIENTS))("with the client of %s", (_name, connect) => {
  /** The same scenario without the command and with it. Neither client may find anything to refuse. */
  async function runBoth<T>(server: readonly string[], scenario: (client: RealClient) => Promise<T>) {
    const env = { MEMORY_FILE_PATH: memoryFile };
    const [node = "", ...direct] = [process.execPath, ...server];
    const session = await recordSession([], [node, ...direct]);
    const alone = await connect(node, direct, env);
    const without = await scenario(alone);
    await alone.close();
    const capped = await connect(session.command, session.args, env);
    const through = await scenario(capped);
    await capped.close();
    return { without, through, session: await session.read() };
  }

  it("X11: server-filesystem: 2,500 long names in text and structure are within their limits, all else is untouched", async () => {
    const path = join(tree, "files");
    const calls = [
      ["list_directory", { path }],
      ["directory_tree", { path: tree }],
      ["search_files", { path: tree, pattern: "**/*.txt" }],
      ["read_text_file", { path: join(tree, "long.txt") }],
      ["read_text_file", { path: join(tree, "long.txt"), head: 3 }],
      ["list_allowed_directories", {}],
      ["read_text_file", { path: "/etc/passwd" }],
    ] as const;
    const server = [resolve("@modelcontextprotocol/server-filesystem/dist/index.js"), tree];
    const { without, through, session } = await runBoth(server, async (client) => {
      const { tools } = await client.listTools();
      const results: CalledTool[] = [];
      for (const [name, args] of calls) results.push(await client.callTool(name, args));
      return { tools, results };
    });
    for (const index of [0, 1, 2, 3]) {
      expect(sizesOf(without.results[index]).every((bytes) => bytes > 100_000)).toBe(true);
      expect(sizesOf(through.results[index]).every((bytes) => bytes <= LIMIT && bytes > LIMIT * 0.9)).toBe(true);
    }
    expect(through.results.slice(4)).toEqual(without.results.slice(4));
    expect(through.tools.map(withoutOutput)).toEqual(without.tools.map(withoutOutput));
    expect(through.tools.every(({ _meta }) => _meta?.["pod/limit"] !== undefined)).toBe(true);
    expectUntouched(session, [
      "tools/list",
      ...["list_directory", "directory_tree", "search_files", "read_text_file"].map((name) => `tools/call ${name}`),
    ]);
  });

  it("X11: server-everything: progress, sampling, elicitation, roots, images, annotations, links and prompts are untouched", async () => {
    const calls = [
      ["echo", { message: "hello" }],
      ["get-sum", { a: 1, b: 2 }],
      ["get-tiny-image", {}],
      ["get-annotated-message", { messageType: "error", includeImage: true }],
      ["get-resource-links", { count: 10 }],
      ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
      ["get-structured-content", { location: "Chicago" }],
      ["get-roots-list", {}],
      ["trigger-sampling-request", { prompt: "hello", maxTokens: 5 }],
      ["trigger-elicitation-request", {}],
      ["no-such-tool", {}],
    ] as const;
    const server = [resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"];
    const { without, through, session } = await runBoth(server, async (client) => {
      const { tools } = await client.listTools();
      const results: unknown[] = [];
      for (const [name, args] of calls) results.push(await client.callTool(name, args).catch(String));
      const progress: unknown[] = [];
      const args = { duration: 0.2, steps: 4 };
      await client.callTool("trigger-long-running-operation", args, (step) => progress.push(step));
      const prompt = await client.getPrompt("args-prompt", { city: "Oslo", state: "" });
      const blob = await client.readResource("demo://resource/static/document/features.md");
      // The last step races the answer.
      return { names: tools.map(({ name }) => name).sort(), results, progress: progress.slice(0, 3), prompt, blob };
    });
    expect(dropTimes(through)).toEqual(dropTimes(without));
    expect(through.progress.length).toBe(3);
    expectUntouched(session, ["tools/list"]);
  });

  it("X11: server-memory: a graph of 1,500 entities is within its limits, and one entity is untouched", async () => {
    const server = [resolve("@modelcontextprotocol/server-memory/dist/index.js")];
    const { without, through, session } = await runBoth(server, async (client) => {
      await client.listTools();
      return [await client.callTool("read_graph", {}), await client.callTool("open_nodes", { names: ["entity-7"] })];
    });
    expect(sizesOf(without[0]).every((bytes) => bytes > 100_000)).toBe(true);
    expect(sizesOf(through[0]).every((bytes) => bytes <= LIMIT && bytes > LIMIT * 0.9)).toBe(true);
    expect(through[1]).toEqual(without[1]);
    expectUntouched(session, ["tools/list", "tools/call read_graph"]);
  });
});

it("X11: server-everything: a call that becomes a task is capped when its result is asked for", async () => {
  const server = [resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"];
  const session = await recordSession(["--max-bytes", "simulate-research-query=700"], [process.execPath, ...server]);
  const client = new Client({ name: "test", version: "1" }, { capabilities: { tasks: { list: {}, cancel: {} } } });
  await client.connect(
    new StdioClientTransport({ command: session.command, args: [...session.args], stderr: "ignore" }),
  );
  await client.listTools();
  const call = { name: "simulate-research-query", arguments: { topic: "python" } };
  const messages = [];
  for await (const message of client.experimental.tasks.callToolStream(call)) messages.push(message);
  await client.close();
  const last = messages.at(-1);
  expect(last?.type).toBe("result");
  expect(JSON.stringify(last)).toMatch(/\[truncated: \d+ bytes dropped, refine your query\]/);
  expectUntouched(await session.read(), ["tools/list", "tasks/result"]);
});

it("X4 X11: revision 2026-07-28 with the SDK's own server: a call without a handshake is within its limits in both forms", async () => {
  const session = await recordSession(
    [],
    [process.execPath, fileURLToPath(new URL("support/stateless-server.mjs", import.meta.url))],
  );
  const client = new ClientV2({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new TransportV2({ command: session.command, args: [...session.args], stderr: "ignore" }));
  await client.listTools();
  const result = await client.callTool({ name: "rows", arguments: {} });
  expect(sizesOf(result).every((bytes) => bytes <= LIMIT && bytes > LIMIT * 0.9)).toBe(true);
  expect(await client.callTool({ name: "hello", arguments: {} })).toMatchObject({ content: [{ text: "hello" }] });
  await client.close();
  expectUntouched(await session.read(), ["tools/list", "tools/call rows"]);
});

/** UTF-8 bytes of both forms; the structured one only where there is one. */
function sizesOf(result: CalledTool | undefined): readonly number[] {
  const content = Array.isArray(result?.content) ? result.content : [];
  const text = content.reduce((bytes, block) => bytes + Buffer.byteLength(block.text) + 1, 0);
  const structured = result?.structuredContent;
  return structured === undefined ? [text] : [text, Buffer.byteLength(JSON.stringify(structured))];
}

function withoutOutput({
  outputSchema: _,
  _meta,
  ...tool
}: {
  readonly outputSchema?: unknown;
  readonly _meta?: unknown;
}) {
  return tool;
}

/** What the server says of the clock. */
function dropTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/\d\d?:\d\d:\d\d [AP]M|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time"));
}

/** Every byte went through, both ways, but for the answers to these requests. */
function expectUntouched(session: Session, changed: readonly string[]): void {
  expect(session.requests.received.equals(session.requests.sent)).toBe(true);
  expect(listChangedMethods(session)).toEqual(changed);
}
