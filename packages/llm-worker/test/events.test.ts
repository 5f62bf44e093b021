import { answer, createDeferred, refuse, text, toolUse, within } from "@pod/test-harness";
import { describe, expect, it } from "vitest";
import { executeTools, type Message, type WorkerEvent, type WorkerEventListener } from "../src/index.js";
import { eventsOfType, makeTool, resultsIn, withWorker } from "./support/with-worker.js";

const LARGE = `first line\n${"あ".repeat(10_000)}`;
const tools = [makeTool("Large", () => ({ summary: "large", content: LARGE })), makeTool("Small", () => "small")];

describe("the events of a run", () => {
  // Mutant seen to fail: `usage` is told after the batch.
  it("W10: come in the order in which things happen", () =>
    withWorker(
      {
        tools,
        toolOutput: { defaultMaxBytes: 1_000, perTool: { large: 5 } },
        script: [
          refuse(529),
          answer(text("I look."), toolUse("Large", {}, "a"), toolUse("Small", {}, "b")),
          answer(text("Done.")),
        ],
      },
      async ({ worker, events, clock }) => {
        await worker.run("Look");
        const told = events.filter(({ type }) => type !== "text-delta").map(nameOf);
        expect(told).toEqual([
          "warning large",
          "turn-start 1",
          "request-start 1.1",
          "request-end 1.1 failed",
          `retry 1.1 status 529 in ${clock.waits[0]}`,
          "request-start 1.2",
          "request-end 1.2 answered",
          "usage",
          "tool-call a",
          "tool-call b",
          "tool-result a",
          "tool-output-truncated a",
          "tool-result b",
          "turn-end 1",
          "turn-start 2",
          "request-start 2.1",
          "request-end 2.1 answered",
          "usage",
          "turn-end 2",
        ]);
        expect(
          eventsOfType(events, "text-delta")
            .map((event) => event.text)
            .join(""),
        ).toBe("I look.Done.");
      },
    ));

  // Mutant seen to fail: `turn-end` is told where nothing failed alone.
  it("W10: of a run that is cancelled, or fails, end as well", () =>
    withWorker({ tools, script: [refuse(403)] }, async ({ worker, events }) => {
      await expect(worker.run("Look")).rejects.toThrow();
      await worker.run("Again", { signal: AbortSignal.abort() });
      expect(events.map(nameOf)).toEqual([
        "turn-start 1",
        "request-start 1.1",
        "request-end 1.1 failed",
        "turn-end 1",
        "turn-start 1",
        "turn-end 1",
      ]);
    }));

  it("W10: of a request that is cancelled say so, and that alone", () => {
    const controller = new AbortController();
    const onEvent = ({ type }: WorkerEvent) => (type === "text-delta" ? controller.abort() : undefined);
    const script = [{ type: "broken-stream", blocks: [text("I look.")], ending: "hang" } as const];
    return withWorker({ script, onEvent }, async ({ worker, events }) => {
      await worker.run("Look", { signal: controller.signal });
      expect(events.map(nameOf)).toEqual([
        "turn-start 1",
        "request-start 1.1",
        "text-delta",
        "request-end 1.1 cancelled",
        "turn-end 1",
      ]);
    });
  });

  it("W10: say what an answer cost, as the provider counts it", () =>
    withWorker(
      { script: [{ ...answer(text("Done.")), cacheReadInputTokens: 3 }] },
      async ({ worker, events, provider }) => {
        await worker.run("Look");
        const [told] = eventsOfType(events, "usage");
        expect(told?.usage).toMatchObject({ inputTokens: provider.requests[0]?.inputTokens, cachedInputTokens: 3 });
        expect(told?.usage.outputTokens).toBeGreaterThan(0);
      },
    ));
});

describe("the events of a result", () => {
  // Mutant seen to fail: the batch is told of and then appended.
  it("W10: come when history holds it, and hold the same object", () => {
    let history = (): readonly Message[] => [];
    const missing: string[] = [];
    const onEvent = (event: WorkerEvent) => {
      if (event.type !== "tool-result") return;
      if (!resultsIn(history()).includes(event.result)) missing.push(event.result.toolCallId);
    };
    const script = [answer(toolUse("Large", {}), toolUse("Small", {})), answer(text("Done."))];
    return withWorker({ tools, script, onEvent }, async ({ worker, events }) => {
      history = () => worker.history;
      await worker.run("Look");
      expect(eventsOfType(events, "tool-result")).toHaveLength(2);
      expect(missing).toEqual([]);
    });
  });

  it("W10: give the figures of a cut, and none of the text", () =>
    withWorker(
      {
        tools,
        toolOutput: { defaultMaxBytes: 16_384, perTool: { Large: 1_000 } },
        script: [answer(toolUse("Large", {}, "a"), toolUse("Small", {}, "b")), answer(text("Done."))],
      },
      async ({ worker, events }) => {
        await worker.run("Look");
        const truncated = eventsOfType(events, "tool-output-truncated");
        // 11 bytes of the first line, 312 characters of 3 bytes; two newlines and a marker of 51 bytes fit beside them.
        expect(truncated).toEqual([
          {
            type: "tool-output-truncated",
            toolCallId: "a",
            toolName: "Large",
            maxBytes: 1_000,
            originalBytes: 30_011,
            keptBytes: 947,
            droppedBytes: 29_064,
          },
        ]);
        expect(JSON.stringify(truncated)).not.toMatch(/first|あ/);
      },
    ));

  it("W10: are not told anew for a history that was handed in", () =>
    withWorker(
      {
        tools,
        history: [
          { role: "user", text: "Look" },
          { role: "assistant", parts: [{ type: "tool-call", toolCallId: "a", toolName: "Large", input: {} }] },
          {
            role: "tool",
            results: [{ toolCallId: "a", toolName: "Large", summary: "large", content: LARGE, isError: false }],
          },
        ],
        script: [answer(text("Done."))],
      },
      async ({ worker, events }) => {
        await worker.run("Go on");
        expect(events.filter(({ type }) => type.startsWith("tool"))).toEqual([]);
        expect(resultsIn(worker.history)[0]?.truncation?.originalBytes).toBe(30_011);
      },
    ));
});

describe("a listener", () => {
  const misbehaving: readonly (readonly [string, WorkerEventListener])[] = [
    [
      "throws",
      () => {
        throw new Error("listener");
      },
    ],
    ["rejects", () => Promise.reject(new Error("listener"))],
    ["never settles", () => new Promise(() => {})],
    [
      "changes what it is told",
      (event) => {
        Object.assign(event, { type: "retry" });
      },
    ],
    [
      "changes what is in it",
      (event) => {
        if (event.type === "tool-result") Object.assign(event.result, { summary: LARGE });
        if (event.type === "tool-call") Object.assign(Object(event.call.input), { pattern: LARGE });
      },
    ],
    [
      "returns what throws when it is awaited",
      () =>
        new Proxy(Promise.resolve(), {
          get: () => {
            throw new Error("then");
          },
        }),
    ],
  ];

  // Mutants seen to fail: the listener is called bare; its promise is not caught; the event is not frozen.
  it.each(misbehaving)("W10: that %s breaks no run and changes nothing", (_name, onEvent) =>
    withWorker(
      {
        tools,
        onEvent,
        script: [refuse(529), answer(toolUse("Large", { pattern: "*" }, "a")), answer(text("Done."))],
      },
      async ({ worker, events }) => {
        expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
        expect(resultsIn(worker.history)).toMatchObject([{ toolCallId: "a", summary: "large" }]);
        expect(worker.history[1]).toMatchObject({ parts: [{ input: { pattern: "*" } }] });
        expect(eventsOfType(events, "retry")).toHaveLength(1);
      },
    ),
  );

  it("W10: that throws is told of everything all the same, also by executeTools", async () => {
    const told: string[] = [];
    const results = await executeTools([{ toolCallId: "a", toolName: "Large", input: {} }], {
      tools,
      onEvent: (event) => {
        told.push(nameOf(event));
        throw new Error("listener");
      },
    });
    expect(told).toEqual(["tool-call a", "tool-result a", "tool-output-truncated a"]);
    expect(results).toHaveLength(1);
  });

  it("W10: that asks for another run from within one is refused, and the run goes on", () => {
    const refused = createDeferred<unknown>();
    let again = async (): Promise<unknown> => undefined;
    const onEvent = ({ type }: WorkerEvent) => {
      if (type === "turn-start") again().catch(refused.resolve);
    };
    return withWorker({ onEvent, script: [answer(text("Done."))] }, async ({ worker }) => {
      again = () => worker.run("Again");
      expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
      expect(await within(refused.promise, "the refusal")).toMatchObject({ name: "WorkerBusyError" });
    });
  });
});

describe("a limit that names no tool of the worker", () => {
  const toolOutput = { defaultMaxBytes: 16_384, perTool: { small: 1_000, Unheard: 1_000, Large: 1_000 } };

  // Mutants seen to fail: the warning is told in each run; it is told after the run.
  it("M5: is warned of once for each name, before the first request, with the nearest name", () =>
    withWorker(
      { tools, toolOutput, script: [answer(text("One.")), answer(text("Two."))] },
      async ({ worker, events }) => {
        expect(events).toEqual([]);
        await worker.run("First");
        await worker.run("Second");
        const warnings = eventsOfType(events, "warning");
        expect(events.slice(0, 2)).toEqual(warnings);
        expect(warnings).toMatchObject([{ toolName: "small", nearest: "Small" }, { toolName: "Unheard" }]);
        expect(warnings[1]).not.toHaveProperty("nearest");
        expect(warnings.map(({ message }) => message)).toEqual([
          'A limit names the tool "small", which the worker does not have. The nearest is "Small".',
          'A limit names the tool "Unheard", which the worker does not have.',
        ]);
      },
    ));
});

function nameOf(event: WorkerEvent): string {
  switch (event.type) {
    case "turn-start":
    case "turn-end":
      return `${event.type} ${event.turn}`;
    case "request-start":
      return `${event.type} ${event.turn}.${event.attempt}`;
    case "request-end":
      return `${event.type} ${event.turn}.${event.attempt} ${event.outcome}`;
    case "batch-recapped":
      return `${event.type} ${event.turn}.${event.attempt} to ${event.toBytes}`;
    case "retry":
      return `${event.type} ${event.turn}.${event.attempt} ${event.error.kind} ${event.error.status} in ${event.delayMs}`;
    case "tool-call":
      return `${event.type} ${event.call.toolCallId}`;
    case "tool-result":
      return `${event.type} ${event.result.toolCallId}`;
    case "tool-output-truncated":
    case "interceptor-failed":
      return `${event.type} ${event.toolCallId}`;
    case "warning":
      return `${event.type} ${event.toolName}`;
    case "counter-failed":
    case "usage":
    case "text-delta":
      return event.type;
  }
}
