import type { Answer, AnswerBlock } from "./scripted-model.js";

/** A message of the model, ready to be sent: every block has its id, the usage its numbers. */
export interface ReadyMessage {
  readonly id: string;
  readonly model: string;
  readonly content: readonly ReadyBlock[];
  readonly stopReason: string;
  readonly usage: MessageUsage;
}

export interface MessageUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
}

export type ReadyBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly json: string;
    };

/** Gives an answer what the provider adds: ids, stop reason, usage. `sequence` makes the ids differ between messages. */
export function readyMessage(
  answer: Answer,
  about: { model: string; inputTokens: number; sequence: number },
): ReadyMessage {
  const content = answer.blocks.map((block, index) => readyBlock(block, `${about.sequence}_${index}`));
  const cached = answer.cacheReadInputTokens ?? 0;
  return {
    id: `msg_${about.sequence}`,
    model: about.model,
    content,
    stopReason: answer.stopReason ?? (content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn"),
    usage: {
      input_tokens: about.inputTokens - cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cached,
      output_tokens: Math.max(1, Math.ceil(JSON.stringify(content).length / 4)),
    },
  };
}

function readyBlock(block: AnswerBlock, suffix: string): ReadyBlock {
  if (block.type !== "tool_use") return block;
  const { id = `toolu_${suffix}`, name, input, inputJson = JSON.stringify(input) } = block;
  return { type: "tool_use", id, name, input, json: inputJson };
}
