import {
  capHistory,
  createWorker,
  executeTools,
  type Interceptor,
  type LlmClient,
  type Tool,
  type ToolOutput,
} from "@pod/llm-worker";

/** What a tool, an interceptor, a model or a user does with a large text; what is made of it is what may stay alive. */
export type Subject = (text: string) => Promise<unknown>;

export const SUBJECTS: Readonly<Record<string, Subject>> = {
  "an output that is cut": (text) => callTool(() => text),
  "content of an object that is cut": (text) => callTool(() => ({ summary: "s", content: { text: text.slice(5) } })),
  "a summary that is moved and cut": (text) => callTool(() => ({ summary: `first line\n${text}` })),
  "an error that is cut": (text) => callTool(() => fail(text)),
  "a short output sliced from it": (text) => callTool(() => text.slice(3, 103)),
  "summary and content sliced from it": (text) =>
    callTool(() => ({ summary: part(text), content: text.slice(3, 5_003) })),
  "an error's message and cause sliced from it": (text) => callTool(() => fail(part(text), new Error(part(text)))),
  "a call sliced from it, and its event": callSliced,
  "what interceptors sliced from it": interceptSliced,
  "a history of texts sliced from it": async (text) => capHistory(historyOf(text)),
  "a run of texts sliced from it": runSliced,
};

/** Keeps a slice as it is: shows that the measurement can fail. */
export const KEEPS_A_SLICE: Subject = async (text) => text.slice(3, 5_003);

function part(text: string): string {
  return text.slice(7, 107);
}

function fail(message: string, cause?: Error): never {
  throw new Error(message, cause && { cause });
}

function toolOf(execute: () => ToolOutput | string): Tool {
  return { name: "Read", description: "Reads.", inputSchema: { type: "object" }, execute };
}

function callTool(execute: () => ToolOutput | string) {
  const calls = [{ toolCallId: "c", toolName: "Read", input: {} }];
  return executeTools(calls, { tools: [toolOf(execute)] });
}

async function callSliced(text: string) {
  const events: unknown[] = [];
  const call = {
    toolCallId: part(text),
    toolName: part(text),
    input: { [part(text)]: [part(text), { deep: part(text) }] },
  };
  const results = await executeTools([call], { tools: [], onEvent: (event) => void events.push(event) });
  return { results, events };
}

async function interceptSliced(text: string) {
  const deciding: Interceptor = {
    preToolCall({ toolCallId }) {
      if (toolCallId === "skip") return { type: "skip", reason: part(text) };
      if (toolCallId === "answer") return { type: "answer", output: { summary: part(text), content: part(text) } };
      return { type: "edit", call: { toolCallId, toolName: "Read", input: { path: part(text) } } };
    },
    postToolCall: ({ toolCallId }) =>
      toolCallId === "edit" ? { type: "edit", summary: part(text), content: part(text) } : undefined,
  };
  const calls = ["skip", "answer", "edit"].map((toolCallId) => ({ toolCallId, toolName: "Read", input: {} }));
  return executeTools(calls, { tools: [toolOf(() => "done")], interceptors: [deciding] });
}

function historyOf(text: string) {
  const [toolCallId, toolName] = [part(text), part(text)];
  return [
    { role: "user", text: part(text) },
    {
      role: "assistant",
      parts: [
        { type: "reasoning", text: part(text), providerMetadata: { provider: { [part(text)]: part(text) } } },
        { type: "text", text: part(text) },
        { type: "tool-call", toolCallId, toolName, input: { [part(text)]: [part(text)] } },
      ],
    },
    {
      role: "tool",
      results: [{ toolCallId, toolName, summary: part(text), content: text.slice(3, 1_003), isError: false }],
    },
  ] as const;
}

async function runSliced(text: string) {
  let turn = 0;
  const client: LlmClient = {
    async *stream() {
      turn += 1;
      yield { type: "reasoning", text: part(text), providerMetadata: { provider: { signature: part(text) } } };
      yield { type: "text", text: part(text) };
      if (turn === 1)
        yield { type: "tool-call", toolCallId: part(text), toolName: "Read", input: { path: part(text) } };
      yield { type: "finish", usage: {} };
    },
  };
  const worker = createWorker({
    client,
    tools: [toolOf(() => text.slice(3, 1_003))],
    history: historyOf(text),
    instructions: part(text),
  });
  await worker.run(part(text));
  return worker.history;
}
