import type { AssistantPart, LlmRequest } from "@pod/llm-worker";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type FakePart, finish, handMadeModel, streamAll, streamBlocks } from "./hand-made-model.js";

const numRuns = Number(process.env.POD_LAW_RUNS ?? (process.env.CI ? 10_000 : 1_000));

const anyText = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => `${text}.`);
const metadata = fc.dictionary(fc.constantFrom("anthropic", "openai", "google"), fc.record({ signature: anyText }), {
  minKeys: 1,
});
const input = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  // What JSON itself does not carry over: −0, and the difference between a null prototype and a plain one.
  .map((value): object => JSON.parse(JSON.stringify(value)));

const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: anyText }),
  fc.record({ type: fc.constant("reasoning"), text: anyText, providerMetadata: metadata }),
  fc.record({ type: fc.constant("tool-call"), toolName: anyText, input }),
);
type Block = { readonly type: string; readonly [field: string]: unknown };

/** A block as a model streams it: in pieces, its metadata last. */
function toStream(block: Block, place: number, pieceLength: number): FakePart[] {
  const id = `block-${place}`;
  const { type, toolName, text, providerMetadata } = block;
  const kind = type === "tool-call" ? "tool-input" : type;
  const written = type === "tool-call" ? JSON.stringify(block.input) : String(text);
  const deltas = Array.from({ length: Math.ceil(written.length / pieceLength) }, (_, index) => ({
    type: `${kind}-delta`,
    id,
    delta: written.slice(index * pieceLength, (index + 1) * pieceLength),
  }));
  const last =
    type === "tool-call"
      ? { type, toolCallId: id, toolName, input: written }
      : { type: `${kind}-end`, id, ...(providerMetadata === undefined ? {} : { providerMetadata }) };
  return [{ type: `${kind}-start`, id, toolName }, ...deltas, last];
}

/** Streams side by side, each in its own order; the blocks begin in order. */
function interleave(streams: readonly FakePart[][]): FakePart[] {
  const starts = streams.flatMap((stream) => stream.slice(0, 1));
  const rests = streams.map((stream) => stream.slice(1));
  const longest = Math.max(0, ...rests.map(({ length }) => length));
  return [
    ...starts,
    ...Array.from({ length: longest }, (_, index) => rests.flatMap((rest) => rest.slice(index, index + 1))).flat(),
  ];
}

// Mutants seen to fail: blocks in the order of their ends; metadata not handed back; input sent as text.
it("what a model made is what it gets back in the next request: every block, in order, unchanged", async () => {
  const blocks = fc.array(block, { minLength: 1, maxLength: 4 });
  const law = fc.asyncProperty(
    blocks,
    fc.integer({ min: 3, max: 30 }),
    fc.boolean(),
    async (made, pieceLength, isMixed) => {
      const streams = made.map((block, place) => toStream(block, place, pieceLength));
      const model = handMadeModel([...(isMixed ? interleave(streams) : streams.flat()), finish()]);
      const parts: readonly AssistantPart[] = await streamBlocks(model);
      const messages: LlmRequest["messages"] = [{ role: "assistant", parts }];
      await streamAll(model, { messages, tools: [] });

      const sent = made.map(({ type, ...fields }, place) => {
        if (type === "tool-call") return { type, toolCallId: `block-${place}`, ...fields };
        const { providerMetadata, ...rest } = { providerMetadata: undefined, ...fields };
        return { type, ...rest, ...(providerMetadata === undefined ? {} : { providerOptions: providerMetadata }) };
      });
      expect(model.asked[1]?.prompt).toEqual([{ role: "assistant", content: sent }]);
    },
  );
  await fc.assert(law, { numRuns });
});
