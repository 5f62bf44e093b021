// A server for the benchmark: it answers with what it is asked for, and then says that it is done.
import { createInterface } from "node:readline";

const DONE = { jsonrpc: "2.0", method: "done" };

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, params } = JSON.parse(line);
  const { name, bytes, lineBytes } = params;
  if (name === "talk") await talk(bytes, lineBytes);
  const result = name === "rows" ? { structuredContent: { rows: createRows(bytes) } } : {};
  const content = [{ type: "text", text: "x".repeat(name === "text" ? bytes : 0) }];
  process.stdout.write(`${format({ jsonrpc: "2.0", id, result: { content, ...result } })}${format(DONE)}`);
});

async function talk(bytes, lineBytes) {
  const line = format({ jsonrpc: "2.0", method: "notifications/message", params: { data: "x".repeat(lineBytes) } });
  for (let sent = 0; sent < bytes; sent += line.length) {
    if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
}

function createRows(bytes) {
  return Array.from({ length: bytes / 100 }, (_, index) => ({
    name: `a-file-whose-name-is-as-long-as-many-are-${index}`,
    kind: "file",
    size: index,
    ok: true,
  }));
}

function format(message) {
  return `${JSON.stringify(message)}\n`;
}
