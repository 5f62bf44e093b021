// A server of revision 2026-07-28, made with the second SDK: one tool whose result is large in both forms.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const rows = Array.from({ length: 3_000 }, (_, index) => ({ name: `row-${index}`, share: index / 7 }));

serveStdio(() => {
  const server = new McpServer({ name: "rows", version: "1" });
  const outputSchema = z.object({ rows: z.array(z.object({ name: z.string().min(1), share: z.number() })).min(3_000) });
  server.registerTool("rows", { inputSchema: z.object({}), outputSchema }, () => ({
    content: [{ type: "text", text: JSON.stringify(rows) }],
    structuredContent: { rows },
  }));
  server.registerTool("hello", { inputSchema: z.object({}) }, () => ({ content: [{ type: "text", text: "hello" }] }));
  return server;
});
