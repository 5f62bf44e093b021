import { createAnthropic } from "@ai-sdk/anthropic";
import {
  createFakeClock,
  type FakeClock,
  type Provider,
  type ProviderOptions,
  type Reply,
  repliesInOrder,
  type Script,
  withProvider,
} from "@pod/test-harness";
import { fromLanguageModel } from "../../src/ai-sdk.js";
import {
  createWorker,
  type LlmClient,
  type Message,
  type Tool,
  type ToolResult,
  type Worker,
  type WorkerEvent,
  type WorkerOptions,
} from "../../src/index.js";

export interface Stage {
  readonly worker: Worker;
  readonly provider: Provider;
  /** What the worker sleeps on and the provider meters by. */
  readonly clock: FakeClock;
  /** Every event so far. */
  readonly events: readonly WorkerEvent[];
}

export interface StageOptions extends Partial<WorkerOptions> {
  readonly script: Script | readonly Reply[];
  readonly account?: Omit<ProviderOptions, "script" | "clock">;
}

/** A worker that talks to the harness's provider through the real client, over a real socket. */
export function withWorker<T>(
  { script, account, onEvent, ...options }: StageOptions,
  use: (stage: Stage) => Promise<T>,
): Promise<T> {
  const clock = createFakeClock();
  const events: WorkerEvent[] = [];
  const providerScript = typeof script === "function" ? script : repliesInOrder(...script);
  return withProvider({ ...account, script: providerScript, clock }, (provider) => {
    const worker = createWorker({
      client: realClient(provider),
      tools: [],
      sleep: clock.sleep,
      ...options,
      onEvent: (event) => {
        events.push(event);
        return onEvent?.(event);
      },
    });
    return use({ worker, provider, clock, events });
  });
}

export function realClient({ url }: Pick<Provider, "url">): LlmClient {
  return fromLanguageModel(createAnthropic({ baseURL: url, apiKey: "not-a-key" })("model"));
}

/** A tool that takes any input. */
export function makeTool(name: string, execute: Tool["execute"]): Tool {
  return { name, description: `The tool ${name}.`, inputSchema: { type: "object" }, execute };
}

/** All tool results of a history, oldest first. */
export function resultsIn(history: readonly Message[]): readonly ToolResult[] {
  return history.flatMap((message) => (message.role === "tool" ? message.results : []));
}

/** The blocks of each request as the provider received them, one JSON text a block: what is prefix of what shows in these. */
export function blocksSent({ requests }: Provider): readonly (readonly string[])[] {
  return requests.map(({ body }) =>
    body.messages.flatMap(({ role, content }) =>
      typeof content === "string" ? [`${role} ${content}`] : content.map((block) => `${role} ${JSON.stringify(block)}`),
    ),
  );
}

/** The status of each answer of the provider. */
export function statusesOf({ requests }: Provider): readonly number[] {
  return requests.map(({ status }) => status);
}

export function eventsOfType<T extends WorkerEvent["type"]>(
  events: readonly WorkerEvent[],
  type: T,
): Extract<WorkerEvent, { type: T }>[] {
  return events.filter((event): event is Extract<WorkerEvent, { type: T }> => event.type === type);
}
