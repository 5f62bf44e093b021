import { answer, createDeferred, refuse, text, thinking, toolResultTexts, toolUse, within } from "@pod/test-harness";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { WorkerBusyError } from "../src/index.js";
import { makeTool, resultsIn, statusesOf, withWorker } from "./support/with-worker.js";

const glob = makeTool("Glob", (input) => `found by ${JSON.stringify(input)}`);

describe("a run", () => {
  it("finishes with the text of an answer that asks for no tool", () =>
    withWorker({ script: [answer(text("Hello, "), text("you."))] }, async ({ worker }) => {
      expect(await worker.run("Hi")).toEqual({ type: "finished", text: "Hello, you." });
      expect(worker.history).toEqual([
        { role: "user", text: "Hi" },
        {
          role: "assistant",
          parts: [
            { type: "text", text: "Hello, " },
            { type: "text", text: "you." },
          ],
        },
      ]);
    }));

  // Mutant seen to fail: the results are not appended.
  it("W3: goes on, turn by turn, with the results of each batch in call order", () =>
    withWorker(
      {
        tools: [glob],
        script: [
          answer(text("I look."), toolUse("Glob", { pattern: "*" })),
          answer(toolUse("Glob", { pattern: "a" }), toolUse("Glob", { pattern: "b" })),
          answer(text("Done.")),
        ],
      },
      async ({ worker, provider }) => {
        expect(await worker.run("Look around")).toEqual({ type: "finished", text: "Done." });
        expect(provider.requests.map(({ body }) => toolResultTexts(body))).toEqual([
          [],
          ['found by {"pattern":"*"}'],
          ['found by {"pattern":"*"}', 'found by {"pattern":"a"}', 'found by {"pattern":"b"}'],
        ]);
        expect(worker.history.map(({ role }) => role)).toEqual([
          "user",
          "assistant",
          "tool",
          "assistant",
          "tool",
          "assistant",
        ]);
      },
    ));

  // Mutants seen to fail: `<` for `<=`; a default of 49.
  it.each([
    ["50 by default", {}, 50],
    ["as many as maxTurns says", { maxTurns: 2 }, 2],
    ["one", { maxTurns: 1 }, 1],
  ])("W3: ends with max-turns after %s, and a second run goes on from there", (_name, options, turns) =>
    withWorker(
      {
        tools: [glob],
        script: (_request, turn) => (turn < turns ? answer(toolUse("Glob", { turn })) : answer(text("Enough."))),
        ...options,
      },
      async ({ worker, provider }) => {
        expect(await worker.run("Never stop")).toEqual({ type: "max-turns" });
        expect(provider.requests).toHaveLength(turns);
        expect(resultsIn(worker.history)).toHaveLength(turns);
        expect(await worker.run("Stop")).toEqual({ type: "finished", text: "Enough." });
      },
    ),
  );

  it("refuses a second run while one goes on, which is not disturbed, and takes one afterwards", () => {
    const [started, release] = [createDeferred(), createDeferred()];
    const slow = makeTool("Slow", async () => {
      started.resolve();
      await release.promise;
      return "slow";
    });
    const script = [answer(toolUse("Slow", {})), answer(text("One.")), answer(text("Two."))];
    return withWorker({ tools: [slow], script }, async ({ worker }) => {
      const first = worker.run("First");
      await within(started.promise, "the tool");
      await expect(worker.run("Second")).rejects.toThrow(WorkerBusyError);
      release.resolve();
      expect(await first).toEqual({ type: "finished", text: "One." });
      expect(await worker.run("Third")).toEqual({ type: "finished", text: "Two." });
      expect(worker.history.filter(({ role }) => role === "user")).toEqual([
        { role: "user", text: "First" },
        { role: "user", text: "Third" },
      ]);
    });
  });

  it("W9: goes on from the run before", () =>
    withWorker({ script: [answer(text("One.")), answer(text("Two."))] }, async ({ worker, provider }) => {
      const { run } = worker;
      await run("First");
      await run("Second");
      expect(provider.requests[1]?.body.messages).toMatchObject([
        { role: "user", content: [{ text: "First" }] },
        { role: "assistant", content: [{ text: "One." }] },
        { role: "user", content: [{ text: "Second" }] },
      ]);
    }));

  // Mutant seen to fail: the empty message is appended.
  it.each([
    ["of no blocks", answer()],
    ["of a blank text", answer(text(" \n"))],
  ])("W3: finishes with no text on an answer %s, of which history holds nothing", (_name, blank) =>
    withWorker({ script: [blank, answer(text("Now."))] }, async ({ worker, provider }) => {
      expect(await worker.run("Hi")).toEqual({ type: "finished", text: "" });
      expect(worker.history).toEqual([{ role: "user", text: "Hi" }]);
      expect(await worker.run("And?")).toEqual({ type: "finished", text: "Now." });
      expect(statusesOf(provider)).toEqual([200, 200]);
    }),
  );

  it("W3: rejects where the provider refuses, and history is fit to go on", () =>
    withWorker(
      { tools: [glob], script: [answer(toolUse("Glob", {})), refuse(403), answer(text("Done."))] },
      async ({ worker, provider }) => {
        await expect(worker.run("Look")).rejects.toMatchObject({ name: "LlmError", kind: "status", status: 403 });
        expect(resultsIn(worker.history)).toHaveLength(1);
        expect(await worker.run("Again")).toEqual({ type: "finished", text: "Done." });
        expect(statusesOf(provider)).toEqual([200, 403, 200]);
      },
    ));
});

describe("a request", () => {
  it("states instructions and tools, from a Standard Schema and from a plain JSON Schema", () => {
    const read = {
      name: "Read",
      description: "Reads a file.",
      inputSchema: z.object({ path: z.string(), lines: z.number().optional() }),
      execute: () => "read",
    };
    const plain = { ...glob, inputSchema: { type: "object", properties: { pattern: { type: "string" } } } };
    return withWorker(
      { instructions: "Be brief.", tools: [read, plain], script: [answer(text("Yes."))] },
      async ({ worker, provider }) => {
        await worker.run("Hi");
        expect(provider.requests[0]?.body).toMatchObject({
          system: [{ type: "text", text: "Be brief." }],
          tools: [
            {
              name: "Read",
              description: "Reads a file.",
              input_schema: {
                type: "object",
                properties: { path: { type: "string" }, lines: { type: "number" } },
                required: ["path"],
              },
            },
            { name: "Glob", input_schema: { type: "object", properties: { pattern: { type: "string" } } } },
          ],
        });
      },
    );
  });

  it.each(["", " \n"])("leaves out instructions that say nothing: %j", (instructions) =>
    withWorker({ instructions, script: [answer(text("Yes."))] }, async ({ worker, provider }) => {
      expect(await worker.run("Hi")).toEqual({ type: "finished", text: "Yes." });
      expect(provider.requests[0]?.body.system).toBeUndefined();
    }),
  );

  // Mutant seen to fail: `providerMetadata` is not copied.
  it("W9: gives reasoning back as it came, with its signature", () =>
    withWorker(
      {
        tools: [glob],
        script: [
          answer(thinking("A glob will do.", "signature-1"), text("I look."), toolUse("Glob", {})),
          answer(text("Done.")),
        ],
      },
      async ({ worker, provider }) => {
        await worker.run("Look");
        expect(provider.requests[1]?.body.messages[1]).toMatchObject({
          role: "assistant",
          content: [
            { type: "thinking", thinking: "A glob will do.", signature: "signature-1" },
            { type: "text", text: "I look." },
            { type: "tool_use", name: "Glob" },
          ],
        });
      },
    ));
});

describe("call ids", () => {
  // Mutants seen to fail: ids are claimed for each batch anew; a repeated id is kept.
  it("W3: are made unique in a batch and across turns before execution, and the provider accepts them", () => {
    const executedIds: string[] = [];
    const tool = makeTool("Glob", (_input, { toolCallId }) => {
      executedIds.push(toolCallId);
      return `result of ${toolCallId}`;
    });
    const call = (id: string) => toolUse("Glob", {}, id);
    const batches = [
      [call("same"), call("same"), call("same-2"), call(""), call("")],
      [call("same"), call("same-2"), call("call"), call("other")],
    ];
    const script = [...batches.map((calls) => answer(...calls)), answer(text("Done.")), answer(text("Still."))];
    return withWorker({ tools: [tool], script }, async ({ worker, provider }) => {
      expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
      expect(statusesOf(provider)).toEqual([200, 200, 200]);
      const ids = ["same", "same-2", "same-2-2", "call", "call-2", "same-3", "same-2-3", "call-3", "other"];
      expect(executedIds).toEqual(ids);
      expect(resultsIn(worker.history).map(({ toolCallId, summary }) => [toolCallId, summary])).toEqual(
        ids.map((id) => [id, `result of ${id}`]),
      );
      expect(await worker.run("And?")).toEqual({ type: "finished", text: "Still." });
    });
  });

  it("W3: differ from those of a history that was handed in", () => {
    const history = [
      { role: "user", text: "Look" },
      { role: "assistant", parts: [{ type: "tool-call", toolCallId: "same", toolName: "Glob", input: {} }] },
      {
        role: "tool",
        results: [{ toolCallId: "same", toolName: "Glob", summary: "nothing", isError: false }],
      },
    ] as const;
    const script = [answer(toolUse("Glob", {}, "same")), answer(text("Done."))];
    return withWorker({ tools: [glob], history, script }, async ({ worker, provider }) => {
      expect(await worker.run("Again")).toEqual({ type: "finished", text: "Done." });
      expect(statusesOf(provider)).toEqual([200, 200]);
      expect(resultsIn(worker.history).map(({ toolCallId }) => toolCallId)).toEqual(["same", "same-2"]);
    });
  });
});
