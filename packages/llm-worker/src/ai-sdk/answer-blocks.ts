import type { AssistantPart } from "../messages.js";
import { fieldsOf } from "./fields-of.js";
import type { LanguageModelStreamPart } from "./language-model.js";
import { mergeMetadata, type ProviderMetadata, withoutFinds } from "./provider-metadata.js";

/** The blocks of an answer that is being streamed, in the order in which the model began them. */
export interface AnswerBlocks {
  /** Takes in one part of the stream. What is no text, reasoning or call of the worker's tools is passed over. */
  accept(part: LanguageModelStreamPart): void;
  /** The blocks that are complete, up to the first that is not. Each block is handed out once. */
  takeComplete(): AssistantPart[];
  /** All that are left. A model that is cut off leaves its last block open. */
  takeRest(): AssistantPart[];
}

interface Block {
  readonly type: AssistantPart["type"];
  readonly id: string;
  isComplete: boolean;
  metadata: ProviderMetadata;
  /** What came so far: the text, or the JSON of a call's input. */
  text: string;
  toolName: string;
  /** A call's whole input, from when it is known. */
  input?: unknown;
}

const STEPS: ReadonlyMap<string, { readonly block: Block["type"]; readonly step: "begin" | "grow" | "end" }> = new Map([
  ["text-start", { block: "text", step: "begin" }],
  ["text-delta", { block: "text", step: "grow" }],
  ["text-end", { block: "text", step: "end" }],
  ["reasoning-start", { block: "reasoning", step: "begin" }],
  ["reasoning-delta", { block: "reasoning", step: "grow" }],
  ["reasoning-end", { block: "reasoning", step: "end" }],
  ["tool-input-start", { block: "tool-call", step: "begin" }],
  ["tool-input-delta", { block: "tool-call", step: "grow" }],
  ["tool-call", { block: "tool-call", step: "end" }],
]);

/** No block so far. A block is known by its type and id, and may grow until it is complete. */
export function createAnswerBlocks(): AnswerBlocks {
  let blocks: Block[] = [];

  function begin(type: Block["type"], id: string): Block {
    const block: Block = { type, id, isComplete: false, metadata: {}, text: "", toolName: "" };
    blocks.push(block);
    return block;
  }

  function findOpen(type: Block["type"], id: string): Block | undefined {
    return blocks.find((block) => block.type === type && block.id === id && !block.isComplete);
  }

  function take(count: number): AssistantPart[] {
    const taken = blocks.slice(0, count);
    blocks = blocks.slice(count);
    return taken.map(toPart);
  }

  return {
    accept(part) {
      const fields = fieldsOf(part);
      const id = stringOr(fields.toolCallId ?? fields.id, "");
      const known = STEPS.get(part.type);
      if (known === undefined) return;
      const open = known.step === "begin" ? undefined : findOpen(known.block, id);
      // A tool that the provider runs by itself: its results would enter history past the cap, so its call must not either.
      if (fields.providerExecuted === true) {
        blocks = blocks.filter((block) => block !== open);
        return;
      }
      // The input of such a call goes on without saying whose it is.
      if (open === undefined && part.type === "tool-input-delta") return;
      grow(open ?? begin(known.block, id), fields, known.step === "end");
    },
    takeComplete() {
      const firstOpen = blocks.findIndex(({ isComplete }) => !isComplete);
      return take(firstOpen < 0 ? blocks.length : firstOpen);
    },
    takeRest: () => take(blocks.length),
  };
}

function grow(block: Block, fields: Readonly<Record<string, unknown>>, isComplete: boolean): void {
  block.text += stringOr(fields.delta, "");
  block.metadata = mergeMetadata(block.metadata, fields.providerMetadata);
  block.toolName = stringOr(fields.toolName, block.toolName);
  block.input = fields.input;
  block.isComplete = isComplete;
}

/** A block as history would hold it, even if it says nothing. */
function toPart({ type, id, metadata, text, toolName, input }: Block): AssistantPart {
  const kept = withoutFinds(type, metadata);
  const back = Object.keys(kept).length === 0 ? {} : { providerMetadata: kept };
  switch (type) {
    case "text":
    case "reasoning":
      return { type, text, ...back };
    case "tool-call":
      return { type, toolCallId: id, toolName, input: parseInput(input ?? text), ...back };
  }
}

function parseInput(input: unknown): unknown {
  if (typeof input !== "string") return input;
  if (input.trim() === "") return {};
  try {
    return JSON.parse(input);
  } catch {
    // What the model wrote is what history holds; the tool's schema will refuse it, and the model reads why.
    return input;
  }
}

function stringOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
