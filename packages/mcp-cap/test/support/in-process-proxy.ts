import { resolveLimit, type ToolOutputLimits } from "@pod/tool-output-cap";
import { createAnswerHandler } from "../../src/answer-handler.js";
import { type CalledMethod, CallLog } from "../../src/call-log.js";
import { CallStats } from "../../src/call-stats.js";
import { ClientLines } from "../../src/client-lines.js";
import { ServerLines } from "../../src/server-lines.js";

export interface ProxyOptions {
  readonly defaultMaxBytes?: number;
  readonly perTool?: ToolOutputLimits["perTool"];
  readonly methods?: readonly CalledMethod[];
  readonly maxLineBytes?: number;
  readonly isDryRun?: boolean;
}

const ALL_METHODS: readonly CalledMethod[] = [
  "tools/call",
  "tools/list",
  "tasks/result",
  "tasks/get",
  "resources/read",
  "prompts/get",
];

/** All of the command but its process and its streams: bytes in, bytes out. */
export class InProcessProxy {
  readonly stats: CallStats = new CallStats();
  readonly warnings: string[] = [];
  /** What the server was told besides what the client said. */
  told = "";
  readonly #client: ClientLines;
  readonly #server: ServerLines;

  constructor(options: ProxyOptions = {}) {
    const { defaultMaxBytes = 1_024, perTool = {}, methods = ALL_METHODS, maxLineBytes = 2 ** 26 } = options;
    const limits: ToolOutputLimits = { defaultMaxBytes, perTool };
    const calls = new CallLog(methods);
    this.#client = new ClientLines(calls);
    const handler = createAnswerHandler({
      calls,
      stats: this.stats,
      limitOf: (name) => resolveLimit(limits, name),
      maxLineBytes,
      isDryRun: options.isDryRun ?? false,
      onTools: () => {},
      onWarning: (warning) => this.warnings.push(warning),
      tellServer: (lines) => {
        this.told += Buffer.concat(this.#client.insert(lines)).toString();
      },
    });
    this.#server = new ServerLines(handler, maxLineBytes);
  }

  /** What the server gets of it. */
  fromClient(...chunks: readonly (Buffer | string)[]): string {
    return Buffer.concat(chunks.flatMap((chunk) => this.#client.push(Buffer.from(chunk)))).toString();
  }

  /** What the client gets of it. */
  fromServer(...chunks: readonly (Buffer | string)[]): string {
    return Buffer.concat(chunks.flatMap((chunk) => this.#server.push(Buffer.from(chunk)))).toString();
  }

  /** What the client gets when the server has ended. */
  end(): string {
    return Buffer.concat(this.#server.end()).toString();
  }

  /** Sends a request and its answer, and gives what the client reads. */
  call(method: string, params: object, answer: string, id: string | number = 1): string {
    this.fromClient(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return this.fromServer(`${answer}\n`).trimEnd();
  }
}

/** An answer as most servers write it. */
export function answer(result: unknown, id: string | number = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

export function textResult(text: string): object {
  return { content: [{ type: "text", text }] };
}
