import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createDeferred } from "@pod/test-harness";

export interface ScriptedReply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Sent as server-sent events. */
  readonly events?: readonly object[];
  /** Sent as JSON where there are no events. */
  readonly body?: unknown;
  /** The answer is not ended. */
  readonly isLeftOpen?: true;
}

export interface ScriptedServer {
  readonly url: string;
  /** Decoded bodies of the requests, in order. */
  readonly bodies: readonly Readonly<Record<string, unknown>>[];
  /** Settles when a client drops an answer that was not ended. */
  readonly dropped: Promise<void>;
}

/**
 * For what the harness's provider does not say: other protocols, and events that its scripts have no word for. The replies
 * in order, or one for each body.
 */
export async function withServer<T>(
  replies: readonly ScriptedReply[] | ((body: Readonly<Record<string, unknown>>) => ScriptedReply),
  use: (server: ScriptedServer) => Promise<T>,
): Promise<T> {
  const bodies: Readonly<Record<string, unknown>>[] = [];
  const dropped = createDeferred();
  const server = createServer((incoming, outgoing) => {
    outgoing.once("close", () => outgoing.writableFinished || dropped.resolve());
    readJson(incoming).then((body) => {
      const reply = typeof replies === "function" ? replies(body) : (replies[bodies.length] ?? { status: 500 });
      bodies.push(body);
      send(outgoing, reply);
    }, outgoing.destroy);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  try {
    return await use({ url: `http://127.0.0.1:${port}/v1`, bodies, dropped: dropped.promise });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function readJson(incoming: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function send(outgoing: ServerResponse, { status = 200, headers = {}, events, body, isLeftOpen }: ScriptedReply): void {
  outgoing.writeHead(status, { "content-type": events ? "text/event-stream" : "application/json", ...headers });
  outgoing.write(
    events ? events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") : JSON.stringify(body ?? {}),
  );
  if (!isLeftOpen) outgoing.end();
}
