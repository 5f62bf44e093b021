import type { ServerResponse } from "node:http";
import { type MessageEvent, messageBody, messageEvents } from "./message-events.js";
import { type ProviderErrorBody, providerError } from "./provider-error.js";
import { readyMessage } from "./ready-message.js";
import { answer, type Fault, type Reply } from "./scripted-model.js";

type BrokenStream = Extract<Fault, { type: "broken-stream" }>;

export interface ReplyContext {
  readonly model: string;
  readonly stream: boolean;
  readonly inputTokens: number;
  readonly sequence: number;
  readonly limitHeaders: Readonly<Record<string, string>>;
}

/** Writes a reply to the wire: what the script answers, or the fault that it asks for. */
export function sendReply(outgoing: ServerResponse, reply: Reply, context: ReplyContext): void {
  switch (reply.type) {
    case "refuse": {
      const { status, headers, message = `the script refuses with ${status}`, errorType } = reply;
      sendError(outgoing, status, providerError(status, message, errorType), { ...context.limitHeaders, ...headers });
      return;
    }
    case "no-answer":
      if (reply.ending === "reset") outgoing.socket?.resetAndDestroy();
      return;
    case "broken-stream":
      sendBroken(outgoing, reply, context);
      return;
    case "answer": {
      const message = readyMessage(reply, context);
      const written = context.stream
        ? messageEvents(message).map(formatEvent).join("")
        : JSON.stringify(messageBody(message));
      outgoing.writeHead(200, answerHeaders(context)).end(written);
    }
  }
}

export function sendError(
  outgoing: ServerResponse,
  status: number,
  body: ProviderErrorBody,
  headers: Readonly<Record<string, string>> = {},
): void {
  outgoing.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

function sendBroken(outgoing: ServerResponse, fault: BrokenStream, context: ReplyContext): void {
  const message = readyMessage(answer(...fault.blocks), context);
  const written = context.stream
    ? keptEvents(messageEvents(message), fault).map(formatEvent).join("")
    : JSON.stringify(messageBody(message)).slice(0, -1);
  outgoing.writeHead(200, answerHeaders(context));
  switch (fault.ending) {
    case "reset":
      // Only what has left for the client before the reset can reach it.
      outgoing.write(written, () => outgoing.socket?.resetAndDestroy());
      return;
    case "hang":
      outgoing.write(written);
      return;
    case "end":
      outgoing.end(written);
      return;
    case "malformed":
      outgoing.end(`${written}event: content_block_delta\ndata: {"type":"content_block_delta","index":\n\n`);
      return;
    case "error":
      outgoing.end(written + formatEvent({ ...providerError(529, "Overloaded") }));
  }
}

function keptEvents(events: readonly MessageEvent[], { keptEvents: kept }: BrokenStream): readonly MessageEvent[] {
  return events.slice(0, kept ?? events.findIndex(({ type }) => type === "message_delta"));
}

function formatEvent(event: MessageEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function answerHeaders({ stream, limitHeaders }: ReplyContext): Record<string, string> {
  return { "content-type": stream ? "text/event-stream; charset=utf-8" : "application/json", ...limitHeaders };
}
