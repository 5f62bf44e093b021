import { describe, expect, it } from "vitest";
import { createFakeClock } from "../src/fake-clock.js";
import { toolResultTexts } from "../src/messages-request.js";
import { answer, repliesInOrder, text, thinking, toolUse } from "../src/scripted-model.js";
import { withProvider } from "../src/with-provider.js";
import { partsOfType, realModel, streamParts, userSays } from "./real-client.js";

// Wherever a delta ends, one of the two has an emoji there.
const SHINY = ["👍".repeat(8), `a${"👍".repeat(8)}\n`];

describe("what the real client reads", () => {
  // Mutant seen to fail: pieces() without its look at the surrogate.
  it.each(SHINY)("T1: streams text in several deltas, none of which splits a character: %j", (words) =>
    withProvider({ script: repliesInOrder(answer(text(words))) }, async (provider) => {
      const deltas = partsOfType(await streamParts(provider), "text-delta").map(({ delta }) => delta);
      expect(deltas.length).toBeGreaterThan(1);
      expect(deltas.join("")).toBe(words);
      expect(deltas.every((delta) => delta.isWellFormed())).toBe(true);
    }),
  );

  it("T1: streams thinking with its signature, and a finish with usage", () =>
    withProvider({ script: repliesInOrder(answer(thinking("let me see", "sig-1"), text("hi"))) }, async (provider) => {
      const parts = await streamParts(provider);
      const reasoning = partsOfType(parts, "reasoning-delta");
      expect(reasoning.map(({ delta }) => delta).join("")).toBe("let me see");
      expect(reasoning.at(-1)?.providerMetadata).toEqual({ anthropic: { signature: "sig-1" } });
      const [finish] = partsOfType(parts, "finish");
      expect(finish?.finishReason.unified).toBe("stop");
      expect(finish?.usage.inputTokens.total).toBe(provider.requests[0]?.inputTokens);
      expect(partsOfType(parts, "error")).toEqual([]);
    }));

  it("T1: streams tool calls whose input comes in several deltas, with an id each", () =>
    withProvider(
      {
        script: repliesInOrder(
          answer(text("looking"), toolUse("Glob", { pattern: "*" }), toolUse("Read", {}, "call_7")),
        ),
      },
      async (provider) => {
        const parts = await streamParts(provider);
        const [first, second] = partsOfType(parts, "tool-call");
        expect(first).toMatchObject({ toolName: "Glob", input: '{"pattern":"*"}' });
        expect(first?.toolCallId).toMatch(/^toolu_/);
        expect(second).toMatchObject({ toolName: "Read", toolCallId: "call_7", input: "{}" });
        expect(partsOfType(parts, "tool-input-delta").length).toBeGreaterThan(2);
        expect(partsOfType(parts, "finish")[0]?.finishReason.unified).toBe("tool-calls");
      },
    ));

  it("T1: answers in one JSON body when no stream is asked for", () =>
    withProvider(
      { script: repliesInOrder(answer(thinking("hm"), text("done"), toolUse("Glob", { pattern: "*" }))) },
      async (provider) => {
        const { content, finishReason, usage } = await realModel(provider).doGenerate({ prompt: userSays("hello") });
        expect(content.map(({ type }) => type)).toEqual(["reasoning", "text", "tool-call"]);
        expect(finishReason.unified).toBe("tool-calls");
        expect(usage.inputTokens.total).toBe(provider.requests[0]?.inputTokens);
      },
    ));

  it("T1: reports tokens read from the prompt cache where the script says so", () =>
    withProvider({ script: () => ({ ...answer(text("cached")), cacheReadInputTokens: 5 }) }, async (provider) => {
      const [finish] = partsOfType(await streamParts(provider), "finish");
      expect(finish?.usage.inputTokens.cacheRead).toBe(5);
      expect(finish?.usage.inputTokens.total).toBe(provider.requests[0]?.inputTokens);
    }));
});

describe("what the script and the log see", () => {
  it("T1: the script reads the tool results that the model would see, and turns count from 0", async () => {
    const seen: unknown[] = [];
    const script = (request: Parameters<typeof toolResultTexts>[0], turn: number) => {
      seen.push([turn, toolResultTexts(request)]);
      return turn === 0 ? answer(toolUse("Glob", { pattern: "*" }, "call_1")) : answer(text("done"));
    };
    await withProvider({ script }, async (provider) => {
      await streamParts(provider);
      await streamParts(provider, [
        ...userSays("list it"),
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "call_1", toolName: "Glob", input: { pattern: "*" } }],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "call_1",
              toolName: "Glob",
              output: { type: "text", value: "a.ts\nb.ts" },
            },
          ],
        },
      ]);
    });
    expect(seen).toEqual([
      [0, []],
      [1, ["a.ts\nb.ts"]],
    ]);
  });

  it("T1: a tool result is read in each form that the wire allows", () => {
    const results = [
      {},
      { content: "a" },
      {
        content: [
          { type: "text", text: "b" },
          { type: "text", text: "c" },
        ],
      },
    ] as const;
    const content = results.map((result) => ({ type: "tool_result", tool_use_id: "call_1", ...result }) as const);
    const request = { model: "any", max_tokens: 1, messages: [{ role: "user", content }] } as const;
    expect(toolResultTexts(request)).toEqual(["", "a", "bc"]);
  });

  it("T1: logs each request with its decoded body, bytes, tokens, status and time", async () => {
    const clock = createFakeClock(1000);
    await withProvider({ script: () => answer(text("hi")), clock }, async (provider) => {
      await streamParts(provider, userSays("é"));
      clock.advance(500);
      await streamParts(provider, userSays("é"));
      const [first, second] = provider.requests;
      expect(first?.body.messages).toEqual([{ role: "user", content: [{ type: "text", text: "é" }] }]);
      expect(first?.bytes).toBe(Buffer.byteLength(first?.bodyText ?? ""));
      expect(first?.status).toBe(200);
      expect([first?.at, second?.at]).toEqual([1000, 1500]);
      expect(first?.inputTokens).toBe(second?.inputTokens);
    });
  });

  it("T1: a request beyond the script's last reply is refused, and fails close()", async () => {
    const beyond = withProvider({ script: repliesInOrder() }, async (provider) => {
      await expect(streamParts(provider)).rejects.toThrow("the scripted model failed");
      expect(provider.requests[0]?.status).toBe(400);
    });
    await expect(beyond).rejects.toThrow("the script has 0 replies, and was asked for one more");
  });

  it("T1: another path is 404, as on a base URL without /v1", () =>
    withProvider({ script: () => answer(text("hi")) }, async (provider) => {
      const response = await fetch(provider.url.replace("/v1", "/messages"), { method: "POST", body: "{}" });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ type: "error", error: { type: "not_found_error" } });
      expect(provider.requests).toEqual([]);
    }));
});
