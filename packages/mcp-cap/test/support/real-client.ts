import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as TransportV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

/** What a scenario asks of a client, whichever SDK it is of. Each is the real client, unmodified. */
export interface RealClient {
  listTools(): Promise<{ readonly tools: readonly ListedTool[] }>;
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    onProgress?: (progress: unknown) => void,
  ): Promise<CalledTool>;
  readResource(uri: string): Promise<unknown>;
  getPrompt(name: string, args: Readonly<Record<string, string>>): Promise<unknown>;
  close(): Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly outputSchema?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

export interface CalledTool {
  readonly [field: string]: unknown;
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

const INFO = { name: "test", version: "1" };
const CAPABILITIES = { roots: {}, sampling: {}, elicitation: { form: {} } };
const ROOTS = { roots: [{ uri: "file:///tmp", name: "tmp" }] };
const MESSAGE = { role: "assistant" as const, content: { type: "text" as const, text: "sampled" }, model: "made-up" };
const ELICITED = { action: "decline" as const };

/** The clients by the version of their SDK. */
export const REAL_CLIENTS: Readonly<
  Record<string, (command: string, args: readonly string[], env: Env) => Promise<RealClient>>
> = {
  "@modelcontextprotocol/sdk 1.32.2": connectV1,
  "@modelcontextprotocol/client 2.4.0": connectV2,
};

type Env = Readonly<Record<string, string>>;

async function connectV1(command: string, args: readonly string[], env: Env): Promise<RealClient> {
  const client = new ClientV1(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler(ListRootsRequestSchema, () => ROOTS);
  client.setRequestHandler(CreateMessageRequestSchema, () => MESSAGE);
  client.setRequestHandler(ElicitRequestSchema, () => ELICITED);
  await client.connect(new TransportV1({ command, args: [...args], env, stderr: "ignore" }));
  return {
    listTools: () => client.listTools(),
    callTool: async (name, args, onprogress) => ({
      ...(await client.callTool(
        { name, arguments: { ...args } },
        undefined,
        onprogress === undefined ? {} : { onprogress },
      )),
    }),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: { ...args } }),
    close: () => client.close(),
  };
}

async function connectV2(command: string, args: readonly string[], env: Env): Promise<RealClient> {
  const client = new ClientV2(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler("roots/list", () => ROOTS);
  client.setRequestHandler("sampling/createMessage", () => MESSAGE);
  client.setRequestHandler("elicitation/create", () => ELICITED);
  await client.connect(new TransportV2({ command, args: [...args], env, stderr: "ignore" }));
  return {
    listTools: () => client.listTools(),
    callTool: async (name, args, onprogress) => ({
      ...(await client.callTool({ name, arguments: { ...args } }, onprogress === undefined ? {} : { onprogress })),
    }),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: { ...args } }),
    close: () => client.close(),
  };
}
