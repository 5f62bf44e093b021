import { answer, type Reply, refuse, type Script, text, toolUse } from "@pod/test-harness";
import { countUtf8Bytes } from "@pod/test-harness/laws";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  createWorker,
  type LlmClient,
  LlmError,
  type LlmRequest,
  type Message,
  type SessionEntry,
  type SessionLog,
} from "../src/index.js";
import { renderToolResult } from "../src/messages.js";
import { expectShrinking, globOf, receivedBytes, tooLarge, UNCAPPED } from "./support/large-batches.js";
import { blocksSent, eventsOfType, resultsIn, statusesOf, withWorker } from "./support/with-worker.js";

afterEach(() => vi.restoreAllMocks());

const ACCOUNT = { inputTokensPerMinute: 30_000 };
const globbing = { tools: [globOf(40_000)], toolOutput: UNCAPPED, account: ACCOUNT };
const oversized = "An oversized word. ".repeat(4_000);

describe("a batch that a provider has accepted", () => {
  // Mutant seen to fail: the answer to a batch is not taken for its acceptance.
  it.each<[string, Reply, number]>([
    ["", answer(text("Done.")), 2],
    [", with an answer that says nothing", answer(text(" ")), 1],
  ])("W9 W12: never changes a byte%s: a later message that is too large is a typed error", (_how, last, answers) =>
    withWorker({ ...globbing, script: [answer(toolUse("Glob", {})), last] }, async ({ worker, provider, events }) => {
      await worker.run("Look");
      const before = JSON.stringify(worker.history);
      expect(worker.history).toHaveLength(2 + answers);
      const { largestItems } = await tooLarge(worker.run(oversized));
      expect(largestItems[0]).toMatchObject({ kind: "user", bytes: countUtf8Bytes(oversized) });
      expect(largestItems[1]).toMatchObject({ kind: "tool-result", toolName: "Glob" });
      expect(JSON.stringify(worker.history.slice(0, -1))).toBe(before);
      expect(eventsOfType(events, "batch-recapped")).toEqual([]);
      expect(statusesOf(provider)).toEqual([200, 200, 429]);
      expectPrefixes(blocksSent(provider));
    }),
  );

  it("W9: stays as it is when the batch after it is made smaller", () =>
    withWorker(
      { ...globbing, script: [answer(toolUse("Glob", {})), answer(toolUse("Glob", {})), answer(text("Done."))] },
      async ({ worker, provider, events }) => {
        expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
        const [first, second] = resultsIn(worker.history);
        expect(first).not.toHaveProperty("truncation");
        expect(second?.truncation).toMatchObject({ originalBytes: 40_000, reason: "turn-budget" });
        expect(eventsOfType(events, "batch-recapped")).toHaveLength(1);
        const accepted = provider.requests.flatMap(({ status }, index) =>
          status === 200 ? [blocksSent(provider)[index] ?? []] : [],
        );
        expectPrefixes(accepted);
      },
    ));
});

describe("the newest batch, not yet accepted", () => {
  it("W12: is made smaller on a real account, every request that passes within its minute", () =>
    withWorker(
      { ...globbing, tools: [globOf(125_000)], script: [answer(toolUse("Glob", {})), answer(text("Done."))] },
      async ({ worker, provider, events, clock }) => {
        expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
        expect(statusesOf(provider)).toEqual([200, 429, 200]);
        expect(clock.waits).toEqual([]);
        expect(eventsOfType(events, "batch-recapped")).toHaveLength(1);
      },
    ));

  it("W12: is made smaller behind an oversized message too, as far as it can help", () =>
    withWorker(
      { ...globbing, maxTurns: 1, script: [answer(toolUse("Glob", {})), answer(text("Done."))] },
      async ({ worker, provider }) => {
        expect(await worker.run("Look")).toEqual({ type: "max-turns" });
        expect(await worker.run(oversized.slice(0, 45_000))).toEqual({ type: "finished", text: "Done." });
        expect(statusesOf(provider)).toEqual([200, 429, 200]);
        expect(receivedBytes(resultsIn(worker.history))).toBeLessThan(10_000);
      },
    ));

  const asked: readonly Message[] = [
    { role: "user", text: "Look" },
    { role: "assistant", parts: [{ type: "tool-call", toolCallId: "a", toolName: "Glob", input: {} }] },
    {
      role: "tool",
      results: [
        {
          toolCallId: "a",
          toolName: "Glob",
          summary: "found",
          content: "src/index.ts\n".repeat(9_000),
          isError: false,
        },
      ],
    },
  ];
  const answered: Message = { role: "assistant", parts: [{ type: "text", text: "I looked." }] };

  // Mutant seen to fail: a batch that was handed in counts as accepted.
  it("W9 W12: may be one of a history that was handed in", () =>
    withWorker({ ...globbing, history: asked, script: [answer(text("Done."))] }, async ({ worker, provider }) => {
      expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
      expect(statusesOf(provider)).toEqual([429, 200]);
      expect(resultsIn(worker.history)[0]?.truncation).toMatchObject({ originalBytes: 117_000, reason: "turn-budget" });
    }));

  it("W9 W12: is none where an answer follows in that history", () =>
    withWorker(
      { ...globbing, history: [...asked, answered], script: () => answer(text("Done.")) },
      async ({ worker, provider }) => {
        const before = JSON.stringify(worker.history);
        const { largestItems } = await tooLarge(worker.run("Go on"));
        expect(largestItems[0]).toMatchObject({ messageIndex: 2, kind: "tool-result" });
        expect(JSON.stringify(worker.history.slice(0, -1))).toBe(before);
        expect(statusesOf(provider)).toEqual([429]);
      },
    ));
});

describe("a session that is written down", () => {
  const cannotPass: Script = (_request, turn) => (turn === 0 ? answer(toolUse("Glob", {})) : refuse(413));

  function createLog(refuses: (entry: SessionEntry) => boolean = () => false) {
    const lines: string[] = [];
    const log: SessionLog = {
      append(entry) {
        if (refuses(entry)) throw new Error("the disk is full");
        lines.push(JSON.stringify(entry));
      },
      read: () => lines.map((line) => JSON.parse(line)),
    };
    return { log, lines };
  }

  // Mutants seen to fail: a re-cap is not written down; all results are written down instead of those that changed.
  it("W12: has the smaller results, and whoever resumes it sends them", async () => {
    const { log, lines } = createLog();
    const history = await withWorker(
      { tools: [globOf(8_000)], log, script: cannotPass },
      async ({ worker, provider, events }) => {
        await tooLarge(worker.run("Look"));
        expectShrinking(provider.requests.slice(1).map(({ bytes }) => bytes));
        expect(eventsOfType(events, "batch-recapped")).toHaveLength(2);
        return worker.history;
      },
    );
    const written = lines.map((line): SessionEntry => JSON.parse(line));
    const recaps = written.flatMap((entry) => (entry.type === "batch-recapped" ? [entry.lowered] : []));
    expect(recaps).toHaveLength(2);
    expect(recaps[1]).toEqual(resultsIn(history));

    await withWorker({ log, script: [answer(text("Done."))] }, async ({ worker, provider }) => {
      expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
      expect(worker.history.slice(0, -1)).toEqual(history);
      const [result] = resultsIn(history);
      if (result === undefined) throw new Error("no result");
      expect(countUtf8Bytes(renderToolResult(result))).toBe(1_024);
      expect(provider.requests[0]?.bodyText).toContain(JSON.stringify(renderToolResult(result)));
    });
  });

  it("W12: rejects where the smaller results cannot be written down, before they are sent", () => {
    const { log } = createLog(({ type }) => type === "batch-recapped");
    return withWorker({ tools: [globOf(8_000)], log, script: cannotPass }, async ({ worker, provider }) => {
      await expect(worker.run("Look")).rejects.toThrow("the disk is full");
      await expect(worker.resume()).rejects.toThrow("the disk is full");
      expect(statusesOf(provider)).toEqual([200, 413]);
    });
  });
});

describe("a session that learned from prose", () => {
  /** Tokens of prose, and of paths, as a tokenizer has them. */
  const tokensOf = ({ messages }: LlmRequest) =>
    messages.reduce((tokens, message) => {
      const paths = resultsIn([message]).reduce((bytes, result) => bytes + renderToolResult(result).length, 0);
      return tokens + paths / 1.8 + (JSON.stringify(message).length - paths) / 4;
    }, 0);
  const prose = "A quiet word. ".repeat(600);

  /** Hand-made: the harness counts a session at one density. */
  function accountOf(limit: number, retryAfterMs: number) {
    const sent: number[] = [];
    const client: LlmClient = {
      async *stream(request) {
        const inputTokens = Math.ceil(tokensOf(request));
        sent.push(inputTokens);
        if (inputTokens > limit) {
          throw new LlmError("limited", { kind: "status", status: 429, inputTokenLimit: limit, retryAfterMs });
        }
        const isAsked = JSON.stringify(request.messages.at(-1)).includes("Look");
        if (isAsked) yield { type: "tool-call", toolCallId: "a", toolName: "Glob", input: {} };
        else yield { type: "text", text: "Done." };
        yield { type: "finish", usage: { inputTokens } };
      },
    };
    return { client, sent };
  }

  // Mutants seen to fail: the last try is weighed like the first; the end of the time in all is not taken for a last try.
  it.each([
    ["the last of its tries", 1_000, 5],
    ["the last try that it has time for", 60_000, 2],
  ])("W12: makes a batch of paths smaller after %s", async (_when, retryAfterMs, tries) => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { client, sent } = accountOf(30_000, retryAfterMs);
    const worker = createWorker({ client, tools: [globOf(100_000)], toolOutput: UNCAPPED, sleep: async () => {} });
    await worker.run(prose);
    await worker.run(prose);
    expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
    const ofBatch = sent.slice(3);
    expect(ofBatch).toHaveLength(tries + 1);
    expect(new Set(ofBatch.slice(0, -1)).size).toBe(1);
    expect(ofBatch.at(-1)).toBeGreaterThan(15_000);
  });

  // Mutant seen to fail: all bytes are taken for paths at the last try.
  it("W12: is not called too large for what the provider has reported to be light", async () => {
    const { client, sent } = accountOf(22_000, 1_000);
    const worker = createWorker({ client, tools: [globOf(2_000)], toolOutput: UNCAPPED, sleep: async () => {} });
    for (let turn = 1; turn <= 9; turn++) await worker.run(prose);
    await worker.run("Look");
    const accepted = JSON.stringify(worker.history);
    // The account's other sessions have taken what there was.
    vi.spyOn(client, "stream").mockImplementation(() => {
      throw new LlmError("limited", { kind: "status", status: 429, inputTokenLimit: 22_000 });
    });
    await expect(worker.run("And?")).rejects.toMatchObject({ name: "LlmError", status: 429 });
    expect(sent.at(-1)).toBeGreaterThan(19_000);
    expect(JSON.stringify(worker.history).startsWith(accepted.slice(0, -1))).toBe(true);
  });
});

/** Each list begins with the whole one before it. */
function expectPrefixes(lists: readonly (readonly string[])[]): void {
  for (const [index, blocks] of lists.entries()) {
    if (index > 0) expect(blocks.slice(0, lists[index - 1]?.length)).toEqual(lists[index - 1]);
  }
}
