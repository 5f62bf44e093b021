import {
  type AssistantPart,
  type ExecuteToolsOptions,
  executeTools,
  type JsonSchema,
  type LlmClient,
  LlmError,
  type LlmRequest,
  type Message,
  type RunOutcome,
  type Tool,
} from "@pod/llm-worker";
import { z } from "zod";

/** A tool of the demo, or one that an MCP server describes. */
export interface NaiveTool extends Tool {
  readonly inputSchema: z.ZodType | JsonSchema;
}

export interface NaiveLoopOptions {
  readonly client: LlmClient;
  readonly tools: readonly NaiveTool[];
  readonly sleep: (ms: number) => Promise<void>;
  readonly maxTurns: number;
  /** The limit of each result. Without it, as good as none: no package has a switch that turns the cap off, so the loop asks for the largest limit. */
  readonly toolOutput?: NonNullable<ExecuteToolsOptions["toolOutput"]>;
}

const UNCAPPED = { defaultMaxBytes: 2 ** 31 - 1, perTool: {} };
const MAX_ATTEMPTS = 5;
const FIRST_WAIT_MS = 15_000;

/**
 * The agent of the incident: whatever a tool returns enters history, capped or not, and a 429 is met by waiting. Rejects with the last
 * refusal when all attempts are used up.
 */
export async function runNaiveLoop(task: string, options: NaiveLoopOptions): Promise<RunOutcome> {
  const { client, tools, sleep, maxTurns, toolOutput = UNCAPPED } = options;
  const specs = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: inputSchema instanceof z.ZodType ? z.toJSONSchema(inputSchema, { io: "input" }) : inputSchema,
  }));
  const messages: Message[] = [{ role: "user", text: task }];
  for (let turn = 1; turn <= maxTurns; turn++) {
    const parts = await askPatiently(client, { messages, tools: specs }, sleep);
    messages.push({ role: "assistant", parts });
    const calls = parts.filter((part) => part.type === "tool-call");
    if (calls.length === 0) return { type: "finished", text: textOf(parts) };
    messages.push({ role: "tool", results: await executeTools(calls, { tools, toolOutput }) });
  }
  return { type: "max-turns" };
}

function textOf(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

async function askPatiently(
  client: LlmClient,
  request: LlmRequest,
  sleep: NaiveLoopOptions["sleep"],
): Promise<AssistantPart[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask(client, request);
    } catch (error) {
      if (!(error instanceof LlmError && error.status === 429) || attempt === MAX_ATTEMPTS) throw error;
      await sleep(Math.max(error.retryAfterMs ?? 0, FIRST_WAIT_MS * 2 ** (attempt - 1)));
    }
  }
}

async function ask(client: LlmClient, request: LlmRequest): Promise<AssistantPart[]> {
  const parts: AssistantPart[] = [];
  for await (const part of client.stream(request, { signal: new AbortController().signal })) {
    if (part.type !== "text-delta" && part.type !== "finish") parts.push(part);
  }
  return parts;
}
