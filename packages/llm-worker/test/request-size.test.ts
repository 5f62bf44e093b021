import { answer, refuse, text, toolUse } from "@pod/test-harness";
import { countUtf8Bytes } from "@pod/test-harness/laws";
import { describe, expect, it } from "vitest";
import {
  createWorker,
  type LlmClient,
  LlmError,
  type LlmRequest,
  RequestTooLargeError,
  type Usage,
} from "../src/index.js";
import { makeTool, statusesOf, withWorker } from "./support/with-worker.js";

/** About 125 KB of paths, as in the incident. */
const PATHS = Array.from({ length: 1_000 }, (_, index) => `${"packages/some-package/src/".repeat(4)}${index}.ts`).join(
  "\n",
);
const glob = makeTool("Glob", () => ({ summary: "1000 files", content: PATHS }));
const UNCAPPED = { defaultMaxBytes: 2 ** 31 - 1, perTool: {} };
const ACCOUNT = { inputTokensPerMinute: 30_000 };

describe("a user's message that is too large by itself", () => {
  const oversized = { account: ACCOUNT, script: [answer(text("I look."))] };

  // Mutants seen to fail: the check comes after the last retry; one byte a token; the items are not sorted.
  it("W12: ends after one refused request, with estimate, limit and largest items", () =>
    withWorker(oversized, async ({ worker, provider, clock, events }) => {
      await worker.run("Look around");
      const error = await tooLarge(worker.run(PATHS));
      expect(statusesOf(provider)).toEqual([200, 429]);
      expect(clock.waits).toEqual([]);
      expect(events.map(({ type }) => type)).not.toContain("retry");

      const counted = provider.requests[1]?.inputTokens ?? 0;
      expect(error.estimatedInputTokens).toBeGreaterThan(counted * 0.99);
      expect(error.estimatedInputTokens).toBeLessThan(counted * 1.01);
      expect(error.inputTokenLimit).toBe(30_000);
      expect(error.largestItems).toEqual([
        { messageIndex: 2, kind: "user", bytes: countUtf8Bytes(PATHS) },
        { messageIndex: 0, kind: "user", bytes: countUtf8Bytes("Look around") },
        { messageIndex: 1, kind: "text", bytes: countUtf8Bytes("I look.") },
      ]);
      expect(Object.isFrozen(error.largestItems) && error.largestItems.every(Object.isFrozen)).toBe(true);
      expect(error.cause).toMatchObject({ name: "LlmError", status: 429, inputTokenLimit: 30_000 });
    }));

  it("W12: tells what to do, in figures, and holds no text", () =>
    withWorker(oversized, async ({ worker }) => {
      const error = await tooLarge(worker.run(PATHS));
      expect(error.message).toContain(`estimated at ${error.estimatedInputTokens} input tokens`);
      expect(error.message).toContain("30000");
      expect(error.message).toContain(`messages[0]: user, ${countUtf8Bytes(PATHS)} bytes`);
      expect(error.message).toMatch(/shorter history/i);
      expect(`${error.message}${error.stack}${String(error.cause)}`).not.toContain("packages/some-package");
    }));

  it("W12: refuses again in the same worker, whose history stays as it is, after one request", () =>
    withWorker(oversized, async ({ worker, provider }) => {
      await tooLarge(worker.run(PATHS));
      const before = JSON.stringify(worker.history);
      await tooLarge(worker.run("Go on"));
      await tooLarge(worker.resume());
      expect(statusesOf(provider)).toEqual([429, 429, 429]);
      expect(JSON.stringify(worker.history).startsWith(before.slice(0, -1))).toBe(true);
    }));

  it("W12: ends after bounded retries on an account that states no limit", () =>
    // Of the time in all, waits that are chosen at random may leave nothing for a fifth request.
    withWorker(
      { ...oversized, account: { ...ACCOUNT, statesLimit: false }, retry: { maxTotalMs: 1e9 } },
      async ({ worker, provider, clock }) => {
        await expect(worker.run(PATHS)).rejects.toMatchObject({ name: "LlmError", status: 429 });
        expect(statusesOf(provider)).toEqual([429, 429, 429, 429, 429]);
        expect(clock.waits).toHaveLength(4);
      },
    ));
});

describe("the incident", () => {
  it("W12 W6: never comes up with the default limit", () =>
    withWorker(
      { tools: [glob], account: ACCOUNT, script: [answer(toolUse("Glob", {})), answer(text("Done."))] },
      async ({ worker, provider }) => {
        expect(await worker.run("Look around")).toEqual({ type: "finished", text: "Done." });
        expect(statusesOf(provider)).toEqual([200, 200]);
      },
    ));
});

describe("a 429 for a request that is not too large by itself", () => {
  it("W12: is an ordinary retry, though the account states its limit", () =>
    withWorker(
      {
        account: { ...ACCOUNT, requestsPerMinute: 1 },
        script: [answer(text("One.")), answer(text("Two."))],
      },
      async ({ worker, provider, clock }) => {
        await worker.run("First");
        expect(await worker.run("Second")).toEqual({ type: "finished", text: "Two." });
        expect(statusesOf(provider)).toEqual([200, 429, 200]);
        expect(clock.waits).toHaveLength(1);
        expect(clock.waits[0]).toBeGreaterThanOrEqual(60_000);
      },
    ));

  it("W12: prose decides nothing", () =>
    withWorker(
      {
        script: [
          {
            type: "refuse",
            status: 429,
            headers: { "anthropic-ratelimit-input-tokens-limit": "30000" },
            message: "prompt is too long: 210000 tokens > 30000 maximum. This request can never succeed.",
          },
          answer(text("Done.")),
        ],
      },
      async ({ worker }) => {
        expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
      },
    ));

  it("W12: a limit that the provider states beside another status decides nothing", () =>
    withWorker(
      {
        script: [refuse(529, { "anthropic-ratelimit-input-tokens-limit": "1" }), answer(text("Done."))],
      },
      async ({ worker }) => {
        expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
      },
    ));

  it("W12: what the provider read from its prompt cache is not counted against the limit", () =>
    withWorker(
      {
        tools: [glob],
        toolOutput: UNCAPPED,
        account: ACCOUNT,
        retry: { maxAttempts: 2 },
        script: [{ ...answer(toolUse("Glob", { pattern: "*" })), cacheReadInputTokens: 60_000 }],
      },
      async ({ worker, provider }) => {
        await expect(worker.run("Look")).rejects.toMatchObject({ name: "LlmError", status: 429 });
        expect(statusesOf(provider)).toEqual([200, 429, 429]);
      },
    ));
});

describe("the estimate", () => {
  const request = {
    instructions: "Be brief: é.",
    messages: [
      { role: "user", text: "あ look" },
      {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "hm", providerMetadata: { anthropic: { signature: "c2lnbmF0dXJl" } } },
          { type: "text", text: "🙂" },
          { type: "tool-call", toolCallId: "id-1", toolName: "Glob", input: { pattern: ["*", "ä"], deep: true } },
          { type: "tool-call", toolCallId: "id-2", toolName: "Glob", input: {} },
        ],
      },
      {
        role: "tool",
        results: [
          { toolCallId: "id-1", toolName: "Glob", summary: "2 files", content: "a\nb", isError: false },
          {
            toolCallId: "id-2",
            toolName: "Glob",
            summary: "1 lines, 300 bytes",
            summaryIsDerived: true,
            content: "x".repeat(300),
            isError: false,
          },
        ],
      },
      { role: "user", text: "go" },
      { role: "user", text: "on" },
    ],
    tools: [{ name: "Glob", description: "Finds: ü.", inputSchema: { type: "object", title: "ß" } }],
  } as const satisfies LlmRequest;

  /** What the provider receives, counted by hand: the derived summary is not sent. */
  const BYTES = [
    "Be brief: é.",
    "あ look",
    "hm",
    "c2lnbmF0dXJl",
    "🙂",
    ...["id-1", "Glob", "*", "ä"],
    ...["id-2", "Glob"],
    ...["id-1", "2 files\na\nb"],
    ...["id-2", "x".repeat(300)],
    ...["go", "on"],
    ...["Glob", "Finds: ü.", '{"type":"object","title":"ß"}'],
  ].reduce((bytes, sent) => bytes + countUtf8Bytes(sent), 0);
  const TOKENS = Math.ceil(BYTES / 1.8);

  const { instructions, messages, tools } = request;
  const options = { instructions, tools: tools.map((spec) => ({ ...spec, execute: () => "found" })) };

  // Mutants seen to fail: 2 bytes a token; keys counted; schemas left out; the derived summary counted; `>=` for `>`;
  // cached tokens not subtracted, or those of all answers added up.
  const cases: readonly (readonly [string, Usage, number])[] = [
    ["nothing cached", {}, TOKENS],
    ["no count of cached tokens but of output", { outputTokens: 10 }, TOKENS],
    ["zero cached", { cachedInputTokens: 0 }, TOKENS],
    ["one cached", { cachedInputTokens: 1 }, TOKENS - 1],
    ["all but two cached", { cachedInputTokens: TOKENS - 2 }, 2],
    ["a count that is none", { cachedInputTokens: Number.NaN }, TOKENS],
    ["a negative count", { cachedInputTokens: -100 }, TOKENS],
  ];
  it.each(cases)("W12: with %s, decides at the exact limit", async (_name, usage, estimate) => {
    const error = await tooLarge(runAgainst(estimate - 1, usage));
    expect(error.estimatedInputTokens).toBe(estimate);
    await expect(runAgainst(estimate, usage)).rejects.toThrow("limited");
    await expect(runAgainst(estimate + 1, usage)).rejects.toThrow("limited");
  });

  it("W12: with everything cached, more than everything included, is zero", async () => {
    for (const cachedInputTokens of [TOKENS, TOKENS * 2]) {
      await expect(runAgainst(1, { cachedInputTokens })).rejects.toThrow("limited");
    }
  });

  it("W12: counts what is cached by the newest answer alone", async () => {
    const usages = [{ cachedInputTokens: 1_000_000 }, {}];
    const client = scriptedClient(usages, limitedTo(1));
    const worker = createWorker({ ...options, client, history: messages });
    await worker.run("one");
    await worker.run("two");
    await tooLarge(worker.run("three"));
  });

  it("W12: names at most five items", async () => {
    const client = scriptedClient([], limitedTo(1));
    const accepted = { role: "assistant", parts: [{ type: "text", text: "ok" }] } as const;
    const worker = createWorker({ ...options, client, history: [...messages, accepted] });
    const { largestItems } = await tooLarge(worker.run("more"));
    expect(largestItems).toHaveLength(5);
    expect(largestItems[0]).toEqual({ messageIndex: 2, kind: "tool-result", toolName: "Glob", bytes: 304 });
    const sizes = largestItems.map(({ bytes }) => bytes);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  });

  // Hand-made: no real provider is metered to the token by what it does not count itself.
  async function runAgainst(limit: number, usage: Usage) {
    const client = scriptedClient([usage], limitedTo(limit));
    const history = messages.slice(0, 3);
    const worker = createWorker({ ...options, client, history, retry: { maxAttempts: 1 } });
    await worker.run(messages[3].text);
    return worker.run(messages[4].text);
  }
});

function limitedTo(inputTokenLimit: number): LlmError {
  return new LlmError("limited", { kind: "status", status: 429, inputTokenLimit });
}

/** Answers nothing, which history holds nothing of, once for each usage; then it refuses. */
function scriptedClient(usages: readonly Usage[], error: LlmError): LlmClient {
  let turn = 0;
  return {
    async *stream() {
      const usage = usages[turn++];
      if (usage === undefined) throw error;
      yield { type: "finish", usage };
    },
  };
}

async function tooLarge(run: Promise<unknown>): Promise<RequestTooLargeError> {
  const error = await run.then(
    (outcome) => new Error(`the run ended with ${JSON.stringify(outcome)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof RequestTooLargeError) return error;
  throw error;
}
