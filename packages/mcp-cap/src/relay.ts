import type { Readable, Writable } from "node:stream";
import type { AnswerCapperOptions } from "./answer-capper.js";
import { createAnswerHandler } from "./answer-handler.js";
import { ClientLines } from "./client-lines.js";
import { ServerLines } from "./server-lines.js";
import { Sink } from "./sink.js";

/** One side: what it says, and what it hears. */
export interface Peer {
  readonly output: Readable;
  readonly input: Writable;
}

export interface RelayOptions extends AnswerCapperOptions {
  readonly client: Peer;
  readonly server: Peer & { readonly ended: Promise<unknown> };
  /** The longest line of the server's that is read whole, in bytes. */
  readonly maxLineBytes: number;
  readonly isDryRun: boolean;
  /** Hears of messages that nobody gets. */
  onWarning(warning: string): void;
}

/**
 * Passes on what either side says, both directions at once, and caps the answers to the client. Where one side ends or stops
 * reading, the other is told in the same way. Resolves when both directions have ended.
 */
export async function relay(options: RelayOptions): Promise<void> {
  const { client, server } = options;
  const toClient = new Sink(client.input);
  const toServer = new Sink(server.input);
  const fromClient = new ClientLines(options.calls);
  const tellServer = (lines: string) => {
    // Nobody waits for these few bytes: what follows them does.
    void toServer.write(fromClient.insert(lines));
  };
  const fromServer = new ServerLines(createAnswerHandler({ ...options, tellServer }), options.maxLineBytes);

  const passRequests = async () => {
    await pass(client.output, toServer, (chunk) => fromClient.push(chunk));
    toServer.end();
  };
  const passAnswers = async () => {
    await pass(server.output, toClient, (chunk) => fromServer.push(chunk));
    await toClient.write(fromServer.end());
    await toClient.flush();
    // A server may close its output and still read. One whose client reads no more is told so.
    if (toClient.isOpen) await server.ended;
    else toServer.end();
    client.output.destroy();
  };
  await Promise.all([passRequests(), passAnswers()]);
}

/** Resolves when `source` has ended, or `sink` no longer reads: then `source` is closed too, so that its writer learns of it. */
async function pass(source: Readable, sink: Sink, process: (chunk: Buffer) => readonly Buffer[]): Promise<void> {
  for await (const chunk of readChunks(source)) if (!(await sink.write(process(chunk)))) return;
}

async function* readChunks(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* source;
  } catch {
    // A side that breaks off has ended, as one that closes has.
  }
}
