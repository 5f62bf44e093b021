import { answer, refuse, type Script, text, toolUse } from "@pod/test-harness";
import { countUtf8Bytes } from "@pod/test-harness/laws";
import { formatMarker } from "@pod/tool-output-cap";
import { describe, expect, it } from "vitest";
import { createWorker, type WorkerEvent } from "../src/index.js";
import { renderToolResult } from "../src/messages.js";
import { expectShrinking, globOf, neverSleep, receivedBytes, tooLarge, UNCAPPED } from "./support/large-batches.js";
import { REFUSALS, withSizeLimit } from "./support/size-limited.js";
import { eventsOfType, makeTool, resultsIn, statusesOf, withWorker } from "./support/with-worker.js";

const LIMIT = 30_000;

const INCIDENTS = [
  { what: "a Glob of 125 KB", calls: 1, bytes: 125_000 },
  { what: "eight Globs of 16 KB", calls: 8, bytes: 16_384 },
];
const cases = INCIDENTS.flatMap((incident) =>
  Object.entries(REFUSALS).map(([shape, refusal]) => ({ ...incident, shape, refusal })),
);

describe("a batch that cannot pass, of a worker whose limits cap nothing", () => {
  // Mutants seen to fail: see each law below.
  it.each(cases)("W12: goes on with half of what the limit leaves: $what, $shape", ({ calls, bytes, refusal }) =>
    withSizeLimit({ refusal, maxTokens: refusal.statesLimit ? LIMIT : 40_000, calls }, async ({ client, requests }) => {
      const events: WorkerEvent[] = [];
      const onEvent = (event: WorkerEvent) => void events.push(event);
      const tools = [globOf(bytes)];
      const worker = createWorker({ client, tools, toolOutput: UNCAPPED, sleep: neverSleep, onEvent });
      expect(await worker.run("Look around")).toEqual({ type: "finished", text: "Done." });

      const [first, refused, passed, ...more] = requests;
      expect([first?.isRefused, refused?.isRefused, passed?.isRefused, more]).toEqual([false, true, false, []]);
      expect(passed?.bytes).toBeLessThan(refused?.bytes ?? 0);

      const results = resultsIn(worker.history);
      const fromBytes = calls * (countUtf8Bytes("1000 files\n") + bytes);
      const toBytes = receivedBytes(results);
      expect(eventsOfType(events, "batch-recapped")).toEqual([
        { type: "batch-recapped", turn: 2, attempt: 1, fromBytes, toBytes },
      ]);
      expect(eventsOfType(events, "retry")).toEqual([]);
      if (refusal.statesLimit) expectHalfOf(LIMIT, passed?.inputTokens);
      else expect(toBytes).toBeGreaterThan(fromBytes * 0.49);
      expect(toBytes).toBeLessThanOrEqual(fromBytes / 2);

      expect(results).toHaveLength(calls);
      for (const { content = "", truncation } of results) {
        expect(truncation).toMatchObject({ originalBytes: bytes, reason: "turn-budget" });
        expect(content.endsWith(`\n\n${formatMarker(truncation?.droppedBytes ?? 0)}`)).toBe(true);
        expect(truncation?.keptBytes).toBe(bytes - (truncation?.droppedBytes ?? 0));
      }
      // One level for all.
      const sizes = results.map(({ content = "" }) => countUtf8Bytes(content));
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );

  // Mutant seen to fail: the marker of the first cut counts as content.
  it("W12 C10: counts from the original what each result's own limit had cut before", () =>
    withSizeLimit(
      { refusal: REFUSALS["Anthropic's 429, with its headers"], maxTokens: LIMIT, calls: 8 },
      async ({ client, requests }) => {
        const worker = createWorker({ client, tools: [globOf(125_000)], sleep: neverSleep });
        expect(await worker.run("Look around")).toEqual({ type: "finished", text: "Done." });
        expect(requests).toHaveLength(3);
        for (const { content = "", truncation } of resultsIn(worker.history)) {
          expect(truncation).toMatchObject({ originalBytes: 125_000, reason: "turn-budget" });
          expect(content.endsWith(formatMarker(125_000 - (truncation?.keptBytes ?? 0)))).toBe(true);
          expect(content.match(/truncated/g)).toHaveLength(1);
        }
      },
    ));

  const smallLimit = { refusal: REFUSALS["Anthropic's 413"], calls: 8 };
  it("W12: comes down to 1,024 bytes a result when that is refused too, counted from the original", () =>
    withSizeLimit({ ...smallLimit, maxTokens: 6_000 }, async ({ client, requests }) => {
      const events: WorkerEvent[] = [];
      const onEvent = (event: WorkerEvent) => void events.push(event);
      const worker = createWorker({
        client,
        tools: [globOf(16_384)],
        toolOutput: UNCAPPED,
        sleep: neverSleep,
        onEvent,
      });
      expect(await worker.run("Look around")).toEqual({ type: "finished", text: "Done." });
      expect(requests.map(({ isRefused }) => isRefused)).toEqual([false, true, true, false]);
      expectShrinking(requests.slice(1).map(({ bytes }) => bytes));

      const results = resultsIn(worker.history);
      for (const result of results) {
        expect(countUtf8Bytes(renderToolResult(result))).toBe(1_024);
        expect(result.truncation).toMatchObject({ originalBytes: 16_384, reason: "turn-budget" });
        expect(result.content?.match(/truncated/g)).toHaveLength(1);
      }
      const [first, second] = eventsOfType(events, "batch-recapped");
      expect([first?.attempt, second?.attempt]).toEqual([1, 2]);
      expect(first?.toBytes).toBe(second?.fromBytes);
      expect(second?.toBytes).toBe(8 * 1_024);
    }));

  // Mutant seen to fail: a third re-cap.
  it("W12: is given up after that, with the limit and the largest items, and the history can be sent again", () =>
    withSizeLimit({ ...smallLimit, maxTokens: 2_000 }, async ({ client, requests }) => {
      const worker = createWorker({ client, tools: [globOf(16_384)], toolOutput: UNCAPPED, sleep: neverSleep });
      const error = await tooLarge(worker.run("Look around"));
      expect(requests.map(({ isRefused }) => isRefused)).toEqual([false, true, true, true]);
      expectShrinking(requests.slice(1).map(({ bytes }) => bytes));
      expect(error.inputTokenLimit).toBeUndefined();
      expect(error.largestItems[0]).toMatchObject({ kind: "tool-result", toolName: "Glob" });
      expect(resultsIn(worker.history)).toHaveLength(8);
      // Who insists gets on: each time it comes down by half again.
      expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
      expectShrinking(requests.slice(4).map(({ bytes }) => bytes));
      expect(requests.length).toBeLessThanOrEqual(7);
    }));

  // Mutant seen to fail: nothing where no result has more than 1,024 bytes.
  it("W15: comes down to half again where no result has more than 1,024 bytes", () =>
    withSizeLimit({ ...smallLimit, calls: 20, maxTokens: 4_000 }, async ({ client, requests }) => {
      const worker = createWorker({ client, tools: [globOf(900)], sleep: neverSleep });
      expect(await worker.run("Look around")).toEqual({ type: "finished", text: "Done." });
      expect(requests.map(({ isRefused }) => isRefused)).toEqual([false, true, true, false]);
      expectShrinking(requests.slice(1).map(({ bytes }) => bytes));
    }));

  it("W12 W4: moves summaries of more than 200 bytes into content where they alone are too much", () =>
    withSizeLimit({ ...smallLimit, maxTokens: 6_000 }, async ({ client }) => {
      const summary = `${"s".repeat(150)}\n${"t".repeat(1_500)}`;
      const glob = makeTool("Glob", () => ({ summary, content: "paths\n".repeat(10) }));
      const worker = createWorker({ client, tools: [glob], toolOutput: UNCAPPED, sleep: neverSleep });
      expect(await worker.run("Look around")).toEqual({ type: "finished", text: "Done." });
      for (const result of resultsIn(worker.history)) {
        expect(result.summary).toBe("s".repeat(150));
        expect(result.content?.startsWith("s".repeat(150))).toBe(true);
        expect(result.truncation).toMatchObject({ originalBytes: 1_651 + 1 + 60, reason: "turn-budget" });
      }
    }));

  it("W12: of summaries alone is made no smaller, and not sent again", () =>
    withSizeLimit({ ...smallLimit, maxTokens: 200 }, async ({ client, requests }) => {
      const glob = makeTool("Glob", () => "s".repeat(100));
      const worker = createWorker({ client, tools: [glob], toolOutput: UNCAPPED, sleep: neverSleep });
      await tooLarge(worker.run("Look around"));
      expect(requests.map(({ isRefused }) => isRefused)).toEqual([false, true]);
    }));
});

describe("the figures that choose the budget", () => {
  // Mutant seen to fail: base64 is left standing where the batch is thought away.
  it("W12: a batch of base64 keeps half of what the limit leaves", () =>
    withSizeLimit(
      { refusal: REFUSALS["Anthropic's 429, with its headers"], maxTokens: LIMIT },
      async ({ client, requests }) => {
        const glob = makeTool("Glob", () => ({ summary: "a picture", content: "iVBORw0K".repeat(15_000) }));
        const worker = createWorker({ client, tools: [glob], toolOutput: UNCAPPED, sleep: neverSleep });
        expect(await worker.run("Look around")).toEqual({ type: "finished", text: "Done." });
        expectHalfOf(LIMIT, requests.at(-1)?.inputTokens);
      },
    ));

  // Mutant seen to fail: what the provider asks for beyond the estimate is laid on what stands before the batch.
  it("W12: a batch that is denser than estimated keeps its share of the figures that the provider states", () =>
    withSizeLimit(
      { refusal: REFUSALS["OpenAI's 429, with its figures"], maxTokens: LIMIT, bytesPerToken: 1 },
      async ({ client, requests }) => {
        const worker = createWorker({ client, tools: [globOf(125_000)], toolOutput: UNCAPPED, sleep: neverSleep });
        expect(await worker.run("Look around")).toEqual({ type: "finished", text: "Done." });
        expect(requests).toHaveLength(3);
        expectHalfOf(LIMIT, requests.at(-1)?.inputTokens);
      },
    ));

  // Mutant seen to fail: cached tokens are taken off the request and not off what stands before the batch.
  it("W12: what the provider reads from its prompt cache takes nothing from the batch", () => {
    const long = "An earlier word. ".repeat(5_000);
    const stated = { "anthropic-ratelimit-input-tokens-limit": String(LIMIT) };
    // 47,000 tokens of the first message are read from the cache; the whole limit is left.
    const script: Script = ({ messages }, turn) => {
      if (turn === 0) return { ...answer(toolUse("Glob", {})), cacheReadInputTokens: 47_000 };
      return JSON.stringify(messages).length > 140_000 ? refuse(429, stated) : answer(text("Done."));
    };
    return withWorker({ tools: [globOf(125_000)], toolOutput: UNCAPPED, script }, async ({ worker, provider }) => {
      expect(await worker.run(long)).toEqual({ type: "finished", text: "Done." });
      const uncached = (provider.requests.at(-1)?.inputTokens ?? 0) - 47_000;
      expectHalfOf(LIMIT, uncached);
      expect(statusesOf(provider)).toEqual([200, 429, 200]);
    });
  });

  it("W11 W12: a rate that is reached, by OpenAI's figures, is waited for, and the batch stays as it is", () => {
    const reached = {
      status: 429,
      headers: { "retry-after": "3" },
      body: {
        error: {
          message:
            "Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 25000, Requested 9000. Please try again in 3s.",
          type: "tokens",
          code: "rate_limit_exceeded",
        },
      },
    };
    return withSizeLimit(
      { refusal: { provider: "OpenAI", statesLimit: true, toReply: () => reached }, maxTokens: 5_000 },
      async ({ client, requests }) => {
        const waits: number[] = [];
        const events: WorkerEvent[] = [];
        const worker = createWorker({
          client,
          tools: [globOf(16_000)],
          sleep: async (ms) => void waits.push(ms),
          onEvent: (event) => void events.push(event),
        });
        await expect(worker.run("Look around")).rejects.toMatchObject({ name: "LlmError", status: 429 });
        expect(eventsOfType(events, "batch-recapped")).toEqual([]);
        expect(waits.length).toBeGreaterThan(0);
        expect(new Set(requests.slice(1).map(({ bytes }) => bytes)).size).toBe(1);
        expect(resultsIn(worker.history)[0]).not.toHaveProperty("truncation");
      },
    );
  });
});

/** What stands before the batch is next to nothing here. */
function expectHalfOf(limit: number, inputTokens = 0): void {
  expect(inputTokens).toBeGreaterThan(limit * 0.49);
  expect(inputTokens).toBeLessThan(limit * 0.52);
}
