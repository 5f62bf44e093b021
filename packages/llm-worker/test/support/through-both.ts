import {
  BatchAbortedError,
  createWorker,
  type ExecutionOptions,
  executeTools,
  type Message,
  type ToolCall,
  type ToolResult,
  type WorkerEvent,
} from "@pod/llm-worker";
import { answer, type Provider, type Script, text, toolUse, withProvider } from "@pod/test-harness";
import { realClient, resultsIn } from "./with-worker.js";

/** What became of one batch, and what the provider saw of it in the request that followed. */
export interface SeenBatch {
  readonly results: readonly ToolResult[];
  readonly received: readonly ReceivedResult[];
  readonly events: readonly WorkerEvent[];
  /** Set where an interceptor aborted. */
  readonly abortReason?: string;
  /** History, events and all requests as one JSON text: what is to be found nowhere is not in here. */
  readonly everything: string;
}

/** A tool result as the provider received it. */
export interface ReceivedResult {
  readonly toolCallId: string;
  readonly text: string;
  readonly isError: boolean;
}

export type BatchOptions = Omit<ExecutionOptions, "onEvent"> & { readonly signal?: AbortSignal };

/** The two ways into history. A law of the chokepoint holds on both. */
export const ways: readonly (readonly [
  name: string,
  runBatch: (calls: readonly ToolCall[], options: BatchOptions) => Promise<SeenBatch>,
])[] = [
  ["createWorker", throughWorker],
  ["executeTools", throughExecuteTools],
];

/** The model asks for the calls; what the worker then sends is looked at, in a further run where the first one ended early. */
async function throughWorker(calls: readonly ToolCall[], { signal, ...options }: BatchOptions): Promise<SeenBatch> {
  return withProvider({ script: askFor(calls) }, async (provider) => {
    const events: WorkerEvent[] = [];
    const worker = createWorker({
      ...options,
      client: realClient(provider),
      onEvent: (event) => void events.push(event),
    });
    const outcome = await worker.run("go", signal && { signal });
    if (outcome.type !== "finished") await worker.run("go on");
    return see(
      provider,
      worker.history,
      resultsIn(worker.history),
      events,
      outcome.type === "aborted" ? outcome.reason : undefined,
    );
  });
}

/** A loop of one's own: the batch is executed, and what came of it is sent. */
export async function throughExecuteTools(calls: readonly ToolCall[], options: BatchOptions): Promise<SeenBatch> {
  return withProvider({ script: () => answer(text("done")) }, async (provider) => {
    const events: WorkerEvent[] = [];
    const { results, abortReason } = await executeOrAbort(calls, {
      ...options,
      onEvent: (event) => void events.push(event),
    });
    const history: readonly Message[] = [
      { role: "user", text: "go" },
      { role: "assistant", parts: calls.map((call) => ({ type: "tool-call", ...call })) },
      { role: "tool", results },
    ];
    const { signal } = new AbortController();
    for await (const _part of realClient(provider).stream({ messages: history, tools: [] }, { signal }));
    return see(provider, history, results, events, abortReason);
  });
}

/** A model that asks for a batch and then has nothing more to say. */
export function askFor(calls: readonly ToolCall[]): Script {
  const blocks = calls.map(({ toolCallId, toolName, input }) => toolUse(toolName, input, toolCallId));
  return (_request, turn) => (turn === 0 ? answer(...blocks) : answer(text("done")));
}

/** The tool results of a provider's last request that it accepted. */
export function receivedResults(provider: Provider): readonly ReceivedResult[] {
  const last = provider.requests.at(-1);
  if (last?.status !== 200) throw new Error(`the provider refused the history: ${last?.status}`);
  return last.body.messages.flatMap(({ content }) =>
    (typeof content === "string" ? [] : content).flatMap((block) => {
      if (block.type !== "tool_result") return [];
      const { tool_use_id: toolCallId, content: texts = "", is_error: isError = false } = block;
      const sent = typeof texts === "string" ? texts : texts.map(({ text }) => text).join("");
      return [{ toolCallId, text: sent, isError }];
    }),
  );
}

async function executeOrAbort(calls: readonly ToolCall[], options: Parameters<typeof executeTools>[1]) {
  try {
    return { results: await executeTools(calls, options), abortReason: undefined };
  } catch (error) {
    if (!(error instanceof BatchAbortedError)) throw error;
    return { results: error.results, abortReason: error.reason };
  }
}

function see(
  provider: Provider,
  history: readonly Message[],
  results: readonly ToolResult[],
  events: readonly WorkerEvent[],
  abortReason: string | undefined,
): SeenBatch {
  return {
    results,
    received: receivedResults(provider),
    events,
    ...(abortReason !== undefined && { abortReason }),
    everything: JSON.stringify({
      history,
      results,
      events,
      requests: provider.requests.map(({ bodyText }) => bodyText),
    }),
  };
}
