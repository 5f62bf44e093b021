import type { MessagesRequest } from "./messages-request.js";

/**
 * Stands where the model would, and only there: what it says is written beforehand, all around it is real.
 * Asked once for every request that the provider lets through; `turn` counts these, from 0.
 */
export type Script = (request: MessagesRequest, turn: number) => Reply | Promise<Reply>;

/** What a script gives for a request. */
export type Reply = Answer | Fault;

/** What the model says in one message. */
export interface Answer {
  readonly type: "answer";
  readonly blocks: readonly AnswerBlock[];
  /** Without it `tool_use` where there is such a block, else `end_turn`. */
  readonly stopReason?: string;
  /** How many of the input tokens the usage reports as read from the prompt cache; 0 by default. */
  readonly cacheReadInputTokens?: number;
}

/** One block of the model's message. */
export type AnswerBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | {
      readonly type: "tool_use";
      /** Without it, one that no other block has. */
      readonly id?: string;
      readonly name: string;
      readonly input: unknown;
      /** Sent in place of `input`, as it is: what a model that was cut off leaves. */
      readonly inputJson?: string;
    };

/** What goes wrong between the client and a model that would have answered. */
export type Fault =
  | {
      /** An error status with the provider's error body. */
      readonly type: "refuse";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Without it, the provider's own name for the status. */
      readonly errorType?: string;
      readonly message?: string;
    }
  | {
      /** The socket is reset, or nothing comes, before the first byte. */
      readonly type: "no-answer";
      readonly ending: "reset" | "hang";
    }
  | {
      readonly type: "broken-stream";
      readonly blocks: readonly AnswerBlock[];
      /** How many of the stream's events are sent whole; without it all that come before `message_delta`. */
      readonly keptEvents?: number;
      /** `error`: an `overloaded_error` event; `malformed`: half an event; `end`: a proper end that comes too soon. */
      readonly ending: "reset" | "end" | "error" | "malformed" | "hang";
    };

/** The fixed replies, one a turn. A turn beyond the last is a mistake in the script and fails the provider's `close()`. */
export function repliesInOrder(...replies: readonly Reply[]): Script {
  return (_request, turn) => {
    const reply = replies[turn];
    if (reply === undefined)
      throw new RangeError(`the script has ${replies.length} replies, and was asked for one more`);
    return reply;
  };
}

/** An answer of these blocks, in this order. */
export function answer(...blocks: readonly AnswerBlock[]): Answer {
  return { type: "answer", blocks };
}

/** What the model says. */
export function text(text: string): AnswerBlock {
  return { type: "text", text };
}

/** What the model thinks; the signature has to come back with it. */
export function thinking(thinking: string, signature = "signed-by-the-harness"): AnswerBlock {
  return { type: "thinking", thinking, signature };
}

/** A tool call. */
export function toolUse(name: string, input: unknown, id?: string): AnswerBlock {
  return id === undefined ? { type: "tool_use", name, input } : { type: "tool_use", id, name, input };
}

/** An error status, such as 429, 500 or 529. */
export function refuse(status: number, headers: Readonly<Record<string, string>> = {}): Fault {
  return { type: "refuse", status, headers };
}
