import { createWorker, type LlmClient, type Message, type Tool } from "@pod/llm-worker";
import { openSessionLog } from "@pod/llm-worker/session-log";

/** A session that stands still between two turns. */
export interface SteppedSession {
  /** Goes one turn further: an answer with one call, its execution, the next request. Milliseconds, the client's left out. */
  step(): Promise<number>;
  /** The messages of the request that waits for its answer. */
  messages(): readonly Message[];
  /** Lets the model say that it is done; the whole history. */
  end(): Promise<readonly Message[]>;
}

const CONTENT = "x".repeat(300);

const tool: Tool = {
  name: "Read",
  description: "Returns 300 bytes.",
  inputSchema: { type: "object" },
  execute: (_input, { toolCallId }) => ({ summary: `read for ${toolCallId}`, content: `${CONTENT}${toolCallId}` }),
};

/** Starts a session with a log in a new file; it stands at its first request. */
export async function startSteppedSession(file: string): Promise<SteppedSession> {
  const log = await openSessionLog(file);
  let request: Deferred<readonly Message[]> = defer();
  let answer: Deferred<"call" | "end"> = defer();
  let messages: readonly Message[] = [];
  let turn = 0;
  // It looks at the list of messages and at none of them: what it costs to send them is another matter.
  const client: LlmClient = {
    async *stream({ messages: sent }) {
      request.resolve(sent);
      turn += 1;
      if ((await answer.promise) === "end") yield { type: "text", text: "Done." };
      else yield { type: "tool-call", toolCallId: `call-${turn}`, toolName: "Read", input: { path: `file-${turn}` } };
      yield { type: "finish", usage: { inputTokens: 1_000 + turn * 150 } };
    },
  };
  const worker = createWorker({ client, log, tools: [tool], maxTurns: 2 ** 30 });
  const run = worker.run("Go on and on");
  // A step that waits for a request hears of it where the run fails.
  run.catch((error: unknown) => request.reject(error));
  messages = await request.promise;
  return {
    messages: () => messages,
    async step() {
      const [answered, next] = [answer, defer<readonly Message[]>()];
      request = next;
      answer = defer();
      const start = performance.now();
      answered.resolve("call");
      messages = await next.promise;
      return performance.now() - start;
    },
    async end() {
      answer.resolve("end");
      await run;
      await log.close();
      return worker.history;
    },
  };
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

function defer<T>(): Deferred<T> {
  let [resolve, reject]: [Deferred<T>["resolve"], Deferred<T>["reject"]] = [() => {}, () => {}];
  const promise = new Promise<T>((settle, fail) => {
    [resolve, reject] = [settle, fail];
  });
  return { promise, resolve, reject };
}
