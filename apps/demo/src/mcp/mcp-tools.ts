import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { NaiveTool } from "../naive-loop.js";

/** The largest result that came, in UTF-8 bytes of either form. */
export interface LargestResult {
  textBytes: number;
  structureBytes: number;
}

/** What a server gives a client to work with. */
export interface ServedTools {
  readonly tools: readonly NaiveTool[];
  /** Of the calls so far. */
  readonly largest: Readonly<LargestResult>;
}

/**
 * Starts an MCP server by its command line, and lends its tools as most clients do: the text of a result, of whatever size, is
 * what the model gets, and a structure that does not fit its schema makes the call fail. The server has ended afterwards.
 */
export async function withMcpTools<T>(
  [command = "", ...args]: readonly string[],
  use: (served: ServedTools) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: "a-client", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args }));
  try {
    return await use(await readTools(client));
  } finally {
    await client.close();
  }
}

async function readTools(client: Client): Promise<ServedTools> {
  const largest: LargestResult = { textBytes: 0, structureBytes: 0 };
  const { tools } = await client.listTools();
  return {
    largest,
    tools: tools.map(({ name, description = "", inputSchema }) => ({
      name,
      description,
      inputSchema,
      execute: async (input, { signal }) => {
        const params = { name, arguments: { ...Object(input) } };
        const result = CallToolResultSchema.parse(await client.callTool(params, undefined, { signal }));
        const text = result.content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n");
        largest.textBytes = Math.max(largest.textBytes, Buffer.byteLength(text));
        const structure = JSON.stringify(result.structuredContent ?? null);
        largest.structureBytes = Math.max(largest.structureBytes, Buffer.byteLength(structure));
        if (result.isError) throw new Error(text);
        return text;
      },
    })),
  };
}
