import { answer, text, toolUse } from "@pod/test-harness";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createWorker, type LlmRequest, type Message, type WorkerOptions } from "../src/index.js";
import { makeTool, resultsIn, statusesOf, withWorker } from "./support/with-worker.js";

/** A lone surrogate of each kind, and a whole pair, which is to stay. */
const ILL = "\ud83d|\ude00|😀";
const WELL = "\ufffd|\ufffd|😀";

const call = toolUse("Glob", { pattern: "*" }, "a");
const glob = makeTool("Glob", () => "found");

// The provider refuses a request with a single ill-formed string, keys included: 400, for ever.
describe("an ill-formed string", () => {
  const fail = () => {
    throw new Error(ILL, { cause: new AggregateError([ILL], ILL) });
  };
  const places: readonly (readonly [string, Partial<WorkerOptions>])[] = [
    ["the instructions", { instructions: ILL }],
    ["a tool's description", { tools: [{ ...glob, description: ILL }] }],
    [
      "a plain schema, keys included",
      { tools: [{ ...glob, inputSchema: { type: "object", [ILL]: ILL, properties: { [ILL]: { enum: [ILL] } } } }] },
    ],
    [
      "a Standard Schema, keys included",
      { tools: [{ ...glob, inputSchema: z.looseObject({ [ILL]: z.enum([ILL]).optional() }).describe(ILL) }] },
    ],
    ["a summary and a content", { tools: [makeTool("Glob", () => ({ summary: ILL, content: ILL.repeat(9_000) }))] }],
    [
      "a content that is no text, keys included",
      { tools: [makeTool("Glob", () => ({ summary: "s", content: { [ILL]: [ILL] } }))] },
    ],
    ["a short output", { tools: [makeTool("Glob", () => ILL)] }],
    ["an error and its causes", { tools: [makeTool("Glob", fail)] }],
    ["the reason of a skipped call", { interceptors: [{ preToolCall: () => ({ type: "skip", reason: ILL }) }] }],
    [
      "the output of an answered call",
      { interceptors: [{ preToolCall: () => ({ type: "answer", output: { summary: ILL, content: ILL } }) }] },
    ],
    [
      "an edited call",
      {
        interceptors: [
          {
            preToolCall: (original) => ({ type: "edit", call: { ...original, toolName: ILL, input: { [ILL]: ILL } } }),
          },
        ],
      },
    ],
    ["an edited result", { interceptors: [{ postToolCall: () => ({ type: "edit", summary: ILL, content: ILL }) }] }],
    ["the reason of an abort", { interceptors: [{ postToolCall: () => ({ type: "abort", reason: ILL }) }] }],
    [
      "a history that was handed in",
      {
        history: [
          { role: "user", text: ILL },
          {
            role: "assistant",
            parts: [
              { type: "text", text: ILL, providerMetadata: { anthropic: { [ILL]: ILL } } },
              { type: "reasoning", text: ILL, providerMetadata: { anthropic: { signature: ILL } } },
              { type: "tool-call", toolCallId: "old", toolName: ILL, input: { [ILL]: ILL } },
            ],
          },
          {
            role: "tool",
            results: [{ toolCallId: "old", toolName: ILL, summary: ILL, content: ILL, isError: false }],
          },
        ],
      },
    ],
  ];

  // Mutants seen to fail, one each: instructions, description, JSON, input, call name, summary taken as they are.
  it.each(places)("W13: in %s is well-formed when the provider gets it", (_name, options) =>
    withWorker(
      { tools: [glob], ...options, script: [answer(call), answer(text("Done.")), answer(text("Still."))] },
      async ({ worker, provider }) => {
        await worker.run("Look");
        await worker.run("Go on");
        expect(statusesOf(provider)).not.toContain(400);
        expect(JSON.stringify([worker.history, provider.requests[0]?.body])).not.toMatch(/\\ud[89a-f]/);
        // A second message is sent in each case, and something of it shows.
        expect(JSON.stringify(provider.requests.map(({ body }) => body))).toMatch(/\ufffd|unknown tool|aborted/);
      },
    ),
  );

  it("W13: in an input comes to the model with U+FFFD in place of each lone surrogate, and nothing else changed", () =>
    withWorker({ script: [answer(text("Done."))] }, async ({ worker, provider }) => {
      await worker.run(ILL);
      expect(worker.history[0]).toEqual({ role: "user", text: WELL });
      expect(provider.requests[0]?.body.messages[0]?.content).toEqual([{ type: "text", text: WELL }]);
    }));

  it("W13: of the model's own is mended: in texts, thoughts, tool names, inputs and their keys", () => {
    const said = [text(ILL), toolUse(ILL, { [ILL]: [ILL, { [ILL]: ILL }] }, "a"), call];
    const inputs: unknown[] = [];
    const tool = makeTool("Glob", (input) => {
      inputs.push(input);
      return "found";
    });
    const script = [answer(...said.slice(0, 2), toolUse("Glob", { [ILL]: ILL }, "b")), answer(text("Done."))];
    return withWorker({ tools: [tool], script }, async ({ worker, provider }) => {
      expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
      expect(statusesOf(provider)).toEqual([200, 200]);
      expect(worker.history[1]).toEqual({
        role: "assistant",
        parts: [
          { type: "text", text: WELL },
          { type: "tool-call", toolCallId: "a", toolName: WELL, input: { [WELL]: [WELL, { [WELL]: WELL }] } },
          { type: "tool-call", toolCallId: "b", toolName: "Glob", input: { [WELL]: WELL } },
        ],
      });
      expect(resultsIn(worker.history)).toMatchObject([
        { toolName: WELL, summary: `unknown tool "${WELL}". Tools: Glob` },
        { toolName: "Glob", summary: "found" },
      ]);
      expect(inputs).toEqual([{ [WELL]: WELL }]);
    });
  });

  // Hand-made: the provider accepts no such name. Mutant seen to fail: the tool is kept under its ill-formed name.
  it("W13: in a tool's name is well-formed in the request, and a call by that name finds the tool", async () => {
    const requests: LlmRequest[] = [];
    const worker = createWorker({
      tools: [makeTool(ILL, () => "found")],
      client: {
        async *stream(request) {
          requests.push(request);
          const [tool] = request.tools;
          if (requests.length === 1 && tool) {
            yield { type: "tool-call", toolCallId: "a", toolName: tool.name, input: {} };
          } else yield { type: "text", text: "Done." };
          yield { type: "finish", usage: {} };
        },
      },
    });
    await worker.run("Look");
    expect(requests[0]?.tools[0]).toMatchObject({ name: WELL, description: `The tool ${WELL}.` });
    expect(resultsIn(worker.history)).toMatchObject([{ toolName: WELL, summary: "found", isError: false }]);
  });

  it("W13: in an id, thought or metadata that a client makes is well-formed in history", async () => {
    // Hand-made: the wire has patterns for ids and signatures.
    let isFirst = true;
    const worker = createWorker({
      tools: [glob],
      client: {
        async *stream() {
          if (isFirst) {
            yield { type: "reasoning", text: ILL, providerMetadata: { [ILL]: { signature: ILL } } };
            yield { type: "tool-call", toolCallId: ILL, toolName: "Glob", input: {}, providerMetadata: ILL };
          }
          isFirst = false;
          yield { type: "finish", usage: {} };
        },
      },
    });
    await worker.run("Look");
    const expected: readonly Message[] = [
      { role: "user", text: "Look" },
      {
        role: "assistant",
        parts: [
          { type: "reasoning", text: WELL, providerMetadata: { [WELL]: { signature: WELL } } },
          { type: "tool-call", toolCallId: WELL, toolName: "Glob", input: {}, providerMetadata: WELL },
        ],
      },
      { role: "tool", results: [{ toolCallId: WELL, toolName: "Glob", summary: "found", isError: false }] },
    ];
    expect(worker.history).toEqual(expected);
  });
});
