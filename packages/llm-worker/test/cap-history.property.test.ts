import { checkHistory } from "@pod/test-harness";
import { countUtf8Bytes, nastyText } from "@pod/test-harness/laws";
import { resolveLimit, type ToolOutputLimits } from "@pod/tool-output-cap";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capHistory, createWorker, type LlmClient, type Message, type ToolResult } from "../src/index.js";
import { messagesSent } from "./support/messages-sent.js";
import { resultsIn } from "./support/with-worker.js";

/** Histories: each holds about six texts. */
const runs = { numRuns: process.env.CI ? 2_000 : 200 };

const NAMES = ["Glob", "Read", "constructor", "__proto__"];

describe("any history whose calls and results belong together", () => {
  // Mutants seen to fail: an open call is not closed; split messages are not joined; results stay in the given order; a
  // blank input is kept.
  it("W3 W13: is held so that the provider accepts it, with one result per call, in call order", async () => {
    await fc.assert(
      fc.asyncProperty(recordedHistory(), limits(), async (history, toolOutput) => {
        const held = adopt(history, toolOutput);
        expect(checkHistory(await messagesSent([...held, { role: "user", text: "go on" }]))).toBeUndefined();
        for (const [index, message] of held.entries()) {
          const next = held[index + 1];
          const ids = message.role === "assistant" ? callIdsOf(message) : [];
          expect(next?.role === "tool" ? next.results.map(({ toolCallId }) => toolCallId) : []).toEqual(ids);
        }
      }),
      runs,
    );
  });

  // Mutants seen to fail: the default limit for every tool; a record is believed as it is.
  it("W1 W6: has every result within its limit, and every record true", () => {
    fc.assert(
      fc.property(recordedHistory(), limits(), (history, toolOutput) => {
        for (const { toolName, content = "", truncation } of resultsIn(adopt(history, toolOutput))) {
          expect(countUtf8Bytes(content)).toBeLessThanOrEqual(resolveLimit(toolOutput, toolName).maxBytes);
          if (truncation === undefined) continue;
          expect(truncation.originalBytes).toBe(truncation.keptBytes + truncation.droppedBytes);
          expect(truncation.originalBytes).toBeGreaterThan(countUtf8Bytes(content));
        }
      }),
      runs,
    );
  });

  // Mutant seen to fail: a true record is dropped.
  it("W9: comes out equal when it is capped or held again, as plain JSON, and is not changed", () => {
    fc.assert(
      fc.property(recordedHistory(), limits(), (history, toolOutput) => {
        const before = JSON.stringify(history);
        const capped = capHistory(history, toolOutput);
        expect(capHistory(capped, toolOutput)).toStrictEqual(capped);
        expect(JSON.parse(JSON.stringify(capped))).toStrictEqual(capped);
        const held = adopt(history, toolOutput);
        expect(adopt(held, toolOutput)).toStrictEqual(held);
        expect(JSON.stringify(history)).toBe(before);
      }),
      runs,
    );
  });
});

function adopt(history: readonly Message[], toolOutput: ToolOutputLimits): readonly Message[] {
  return createWorker({ client: silentClient, tools: [], history, toolOutput }).history;
}

const silentClient: LlmClient = {
  stream: () => {
    throw new Error("nobody asked for a run");
  },
};

function callIdsOf({ parts }: Extract<Message, { role: "assistant" }>): readonly string[] {
  return parts.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
}

function limits(): fc.Arbitrary<ToolOutputLimits> {
  const maxBytes = fc.integer({ min: 12, max: 600 });
  return fc.record({
    defaultMaxBytes: maxBytes,
    perTool: fc.record({ Read: maxBytes, constructor: maxBytes }, { requiredKeys: [] }),
  });
}

/**
 * Histories as others record them: turns with blank texts between, calls without all of their results, those in any
 * order and in one message or many, with contents, records and metadata of any kind. Call ids are the place of the call.
 */
function recordedHistory(): fc.Arbitrary<readonly Message[]> {
  return fc
    .array(fc.oneof(userMessage(), blankMessage(), turn()), { maxLength: 6 })
    .map((turns) => [{ role: "user", text: "Look" } as const, ...numberCalls(turns.flat())]);
}

function userMessage(): fc.Arbitrary<Message[]> {
  return nastyText().map((text) => [{ role: "user", text }]);
}

function blankMessage(): fc.Arbitrary<Message[]> {
  return fc.constantFrom<Message[]>(
    [{ role: "user", text: "" }],
    [{ role: "assistant", parts: [] }],
    [{ role: "assistant", parts: [{ type: "text", text: "\n" }] }],
    [{ role: "tool", results: [] }],
  );
}

/** An assistant message whose calls have the ids "0", "1", …, and the results of some of them. */
function turn(): fc.Arbitrary<Message[]> {
  return fc
    .tuple(fc.array(said(), { maxLength: 2 }), fc.array(calledTool(), { maxLength: 4 }))
    .chain(([texts, names]) => {
      const calls = names.map((toolName, index) => ({
        type: "tool-call" as const,
        toolCallId: String(index),
        toolName,
        input: { index },
      }));
      const results = calls.map(({ toolCallId, toolName }) => resultOf(toolCallId, toolName));
      return fc
        .tuple(fc.tuple(...results), fc.shuffledSubarray([...calls.keys()]), fc.boolean())
        .map(([all, order, isSplit]) => {
          const given = order.flatMap((index) => all[index] ?? []);
          const messages: Message[] = isSplit
            ? given.map((result) => ({ role: "tool", results: [result] }))
            : [{ role: "tool", results: given }];
          return [{ role: "assistant", parts: [...texts, ...calls] }, ...messages];
        });
    });
}

function said() {
  const signed = { anthropic: { signature: "signed" } };
  return fc.oneof(
    nastyText().map((text) => ({ type: "text", text }) as const),
    nastyText().map((text) => ({ type: "reasoning", text }) as const),
    nastyText().map((text) => ({ type: "reasoning", text, providerMetadata: signed }) as const),
  );
}

function calledTool(): fc.Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...NAMES), nastyText());
}

function resultOf(toolCallId: string, toolName: string): fc.Arbitrary<ToolResult> {
  const bytes = fc.oneof(fc.nat(2_000), fc.constantFrom(-1, 0.5, Number.NaN, 2 ** 53));
  const record = fc.record({ maxBytes: bytes, originalBytes: bytes, keptBytes: bytes, droppedBytes: bytes });
  const fields = fc.record(
    { content: nastyText(), summaryIsDerived: fc.constant(true as const), truncation: record },
    { requiredKeys: [] },
  );
  return fc
    .tuple(nastyText(), fc.boolean(), fields)
    .map(([summary, isError, rest]) => ({ toolCallId, toolName, summary, isError, ...rest }));
}

/** Ids that differ in the whole history. */
function numberCalls(messages: readonly Message[]): readonly Message[] {
  let turns = 0;
  return messages.map((message) => {
    if (message.role === "user") return message;
    if (message.role === "tool") return { role: "tool", results: message.results.map(inTurn) };
    turns++;
    return { role: "assistant", parts: message.parts.map((part) => (part.type === "tool-call" ? inTurn(part) : part)) };
  });

  function inTurn<T extends { readonly toolCallId: string }>(holder: T): T {
    return { ...holder, toolCallId: `call-${turns}-${holder.toolCallId}` };
  }
}
