import type { ReadyBlock, ReadyMessage } from "./ready-message.js";

export interface MessageEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The events of a streamed answer, in the provider's order; text and tool input come in several deltas. */
export function messageEvents(message: ReadyMessage): MessageEvent[] {
  return [
    {
      type: "message_start",
      message: {
        ...messageBody(message),
        content: [],
        stop_reason: null,
        usage: { ...message.usage, output_tokens: 1 },
      },
    },
    { type: "ping" },
    ...message.content.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason: message.stopReason, stop_sequence: null },
      usage: message.usage,
    },
    { type: "message_stop" },
  ];
}

/** The same answer as one JSON body. */
export function messageBody(message: ReadyMessage): Readonly<Record<string, unknown>> {
  return {
    id: message.id,
    type: "message",
    role: "assistant",
    model: message.model,
    content: message.content.map((block) =>
      block.type === "tool_use" ? { type: "tool_use", id: block.id, name: block.name, input: block.input } : block,
    ),
    stop_reason: message.stopReason,
    stop_sequence: null,
    usage: message.usage,
  };
}

function blockEvents(block: ReadyBlock, index: number): MessageEvent[] {
  return [
    { type: "content_block_start", index, content_block: emptyBlock(block) },
    ...deltas(block).map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function emptyBlock(block: ReadyBlock): object {
  switch (block.type) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: {} };
  }
}

function deltas(block: ReadyBlock): object[] {
  switch (block.type) {
    case "text":
      return pieces(block.text).map((text) => ({ type: "text_delta", text }));
    case "thinking":
      return [
        ...pieces(block.thinking).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block.signature },
      ];
    case "tool_use":
      return ["", ...pieces(block.json)].map((json) => ({ type: "input_json_delta", partial_json: json }));
  }
}

/** About three pieces; no code point is split. */
function pieces(text: string): string[] {
  const step = Math.max(1, Math.ceil(text.length / 3));
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + step);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
