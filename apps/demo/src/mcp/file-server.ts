import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { ToolOutput } from "@pod/llm-worker";
import { z } from "zod";
import { createFileTools } from "../tools/file-tools.js";

// A program: `file-server.ts DIRECTORY` serves the demo's tools over stdio. As servers of today do, it sends each result twice,
// as text and as structure, and states a schema that the structure must fit.
const outputSchema = z.strictObject({ summary: z.string().min(1), lines: z.array(z.string()).min(1) });

const [directory = "."] = process.argv.slice(2);
const server = new McpServer({ name: "files", version: "1.0.0" });
for (const { name, description, inputSchema, execute } of await createFileTools(directory)) {
  server.registerTool(name, { description, inputSchema, outputSchema }, async (input, { requestId, signal }) => {
    const { summary, text } = readOutput(await execute(input, { toolCallId: String(requestId), signal }));
    return {
      content: [{ type: "text", text: `${summary}\n${text}` }],
      structuredContent: { summary, lines: text.split("\n") },
    };
  });
}
await server.connect(new StdioServerTransport());

function readOutput(output: ToolOutput | string): { readonly summary: string; readonly text: string } {
  const { summary, content } = typeof output === "string" ? { summary: output, content: "" } : output;
  return { summary, text: Buffer.isBuffer(content) ? `binary, ${content.length} bytes` : String(content) };
}
