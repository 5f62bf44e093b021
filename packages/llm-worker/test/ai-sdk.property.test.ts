import { type AssistantPart, executeTools, type LlmRequest } from "@pod/llm-worker";
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

// The names that every provider takes.
const toolName = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/).filter((name) => !(name in Object.prototype));

const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: anyText }),
  fc.record({ type: fc.constant("reasoning"), text: anyText, providerMetadata: metadata }),
  fc.record({ type: fc.constant("tool-call"), toolName, input }),
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

const anyName = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.constantFrom("", "$READFILE", "constructor", ".__proto__", "._proto__", "functions.T:0", "x".repeat(65)),
);
const anyCall = fc.record({ toolCallId: anyName, toolName: anyName });

// Mutants seen to fail: the result's id, or its name, as it is; no look at what is taken.
it("W5: sends all calls and results under names and ids that every provider takes, each id another, for ever", async () => {
  const calls = fc.uniqueArray(anyCall, { selector: ({ toolCallId }) => toolCallId, minLength: 1, maxLength: 5 });
  const law = fc.asyncProperty(calls, async (made) => {
    const first = await sentOf(made);
    // A model that repeats the ids that it was sent.
    const repeated = first.map(({ toolCallId }) => ({ toolCallId, toolName: "T" }));
    const known = new Set(made.map(({ toolCallId }) => toolCallId));
    const all = [...made, ...repeated.filter(({ toolCallId }) => !known.has(toolCallId))];
    const sent = await sentOf(all);
    expect(sent.slice(0, first.length)).toEqual(first);
    expect(new Set(sent.map(({ toolCallId }) => toolCallId)).size).toBe(all.length);
    for (const { toolCallId, toolName } of sent) {
      expect(toolCallId).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(toolName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(toolName in Object.prototype).toBe(false);
    }
  });
  await fc.assert(law, { numRuns });
});

interface Names {
  readonly toolCallId: string;
  readonly toolName: string;
}

/** Under which names calls are sent, and that their results have the same. */
async function sentOf(calls: readonly Names[]): Promise<readonly Names[]> {
  const model = handMadeModel([finish()]);
  const results = await executeTools(
    calls.map((call) => ({ ...call, input: {} })),
    { tools: [] },
  );
  const messages: LlmRequest["messages"] = [
    { role: "assistant", parts: calls.map((call) => ({ type: "tool-call", ...call, input: {} })) },
    { role: "tool", results: results.map((result, at) => ({ ...result, ...calls[at] })) },
  ];
  await streamAll(model, { messages, tools: [] });
  const [asked, answered] = (model.asked[0]?.prompt ?? []).map((message) =>
    "content" in message && Array.isArray(message.content) ? message.content.map(namesOf) : [],
  );
  expect(answered).toEqual(asked);
  return asked ?? [];
}

function namesOf(part: object): Names {
  const { toolCallId, toolName } = { toolCallId: undefined, toolName: undefined, ...part };
  return { toolCallId: String(toolCallId), toolName: String(toolName) };
}
