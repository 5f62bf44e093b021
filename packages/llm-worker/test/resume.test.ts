import { answer, checkHistory, refuse, text, toolUse } from "@pod/test-harness";
import { describe, expect, it } from "vitest";
import { createWorker, executeTools, type Interceptor, type Message, type Tool } from "../src/index.js";
import { memoryLog } from "./support/memory-log.js";
import { toolOf } from "./support/tool-of.js";
import { eventsOfType, resultsIn, statusesOf, withWorker } from "./support/with-worker.js";

const DONE = answer(text("Done."));
const TWO = answer(toolUse("Read", { path: "a" }), toolUse("Write", { path: "b" }));

/** Tools that count their runs. */
function counted(more: Partial<Tool> = {}) {
  const runs: string[] = [];
  const tools = ["Read", "Write"].map((name) =>
    toolOf(
      name,
      () => {
        runs.push(name);
        return `${name} ran`;
      },
      more,
    ),
  );
  return { tools, runs };
}

/** Pauses calls of these tools until it is told otherwise. */
function approval(...waiting: string[]) {
  const interceptor: Interceptor = {
    preToolCall: ({ toolName }) => (waiting.includes(toolName) ? { type: "pause" } : undefined),
  };
  return { interceptor, approve: (name: string) => void waiting.splice(waiting.indexOf(name), 1) };
}

describe("a pause", () => {
  // Mutants seen to fail: calls before the paused one run; only the first is named; history holds the open call.
  it("W16 W3: ends the run before any call runs, and resume goes on once it is decided", () => {
    const { tools, runs } = counted();
    const { interceptor, approve } = approval("Read", "Write");
    return withWorker({ tools, interceptors: [interceptor], script: [TWO, DONE] }, async ({ worker, provider }) => {
      const paused = await worker.run("Look");
      expect(paused).toMatchObject({ type: "paused", calls: [{ toolName: "Read" }, { toolName: "Write" }] });
      expect(runs).toEqual([]);
      expect(worker.history).toEqual([{ role: "user", text: "Look" }]);
      approve("Read");
      expect(await worker.resume()).toMatchObject({ type: "paused", calls: [{ toolName: "Write" }] });
      approve("Write");
      expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
      expect(runs).toEqual(["Read", "Write"]);
      expect(statusesOf(provider)).toEqual([200, 200]);
      expect(resultsIn(worker.history).map(({ summary }) => summary)).toEqual(["Read ran", "Write ran"]);
    });
  });

  it("W16 W3: is over when a new input comes: the calls are closed, and not run", () => {
    const { tools, runs } = counted();
    const { interceptor } = approval("Write");
    return withWorker({ tools, interceptors: [interceptor], script: [TWO, DONE] }, async ({ worker, provider }) => {
      await worker.run("Look");
      expect(await worker.run("Never mind")).toEqual({ type: "finished", text: "Done." });
      expect(runs).toEqual([]);
      expect(resultsIn(worker.history)).toMatchObject([
        { summary: "not run: the session went on without this call", isError: true },
        { summary: "not run: the session went on without this call", isError: true },
      ]);
      expect(checkHistory(provider.requests[1]?.body.messages)).toBeUndefined();
    });
  });

  it("W16: loses to an abort of the same batch", () => {
    const { tools, runs } = counted();
    const { interceptor } = approval("Read");
    const abort: Interceptor = {
      preToolCall: ({ toolName }) => (toolName === "Write" ? { type: "abort", reason: "no" } : undefined),
    };
    return withWorker({ tools, interceptors: [interceptor, abort], script: [TWO] }, async ({ worker }) => {
      expect(await worker.run("Look")).toEqual({ type: "aborted", reason: "no" });
      expect(runs).toEqual([]);
      expect(resultsIn(worker.history)).toHaveLength(2);
    });
  });

  it("W16: rejects executeTools with the calls that wait, none of which ran", async () => {
    const { tools, runs } = counted();
    const { interceptor, approve } = approval("Write");
    const calls = ["Read", "Write"].map((toolName) => ({ toolCallId: toolName, toolName, input: {} }));
    const execute = () => executeTools(calls, { tools, interceptors: [interceptor] });
    await expect(execute()).rejects.toMatchObject({ name: "BatchPausedError", calls: [{ toolCallId: "Write" }] });
    expect(runs).toEqual([]);
    approve("Write");
    expect(await execute()).toHaveLength(2);
  });

  it("W16: outlives the process, by the log", () => {
    const log = memoryLog();
    const { tools, runs } = counted();
    const { interceptor, approve } = approval("Write");
    const stage = { tools, interceptors: [interceptor] };
    return withWorker({ ...stage, log, script: [TWO] }, async (first) => {
      expect(await first.worker.run("Look")).toMatchObject({ type: "paused" });
      approve("Write");
      await withWorker({ ...stage, log: memoryLog(log.lines), script: [DONE] }, async ({ worker }) => {
        expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
        expect(runs).toEqual(["Read", "Write"]);
      });
    });
  });
});

describe("a session that is resumed from its log", () => {
  const message: Message = {
    role: "assistant",
    parts: [
      { type: "tool-call", toolCallId: "one", toolName: "Read", input: {} },
      { type: "tool-call", toolCallId: "two", toolName: "Write", input: {} },
    ],
  };
  const begun = [
    { type: "message", message: { role: "user", text: "Look" } },
    { type: "message", message },
  ];
  const finished = {
    type: "call-finished",
    result: { toolCallId: "one", toolName: "Read", summary: "read before", isError: false },
  };
  const started = { type: "call-started", toolCallId: "two" };

  // Mutants seen to fail: started counts as not started; idempotent is not looked at; the finished one runs again.
  it.each([
    ["nothing had started", [], {}, ["Read", "Write"], ["Read ran", "Write ran"]],
    ["one had finished", [finished], {}, ["Write"], ["read before", "Write ran"]],
    ["the other had started", [finished, started], {}, [], ["read before", expect.stringMatching(/^outcome unknown/)]],
    [
      "the other, idempotent, had started",
      [finished, started],
      { idempotent: true },
      ["Write"],
      ["read before", "Write ran"],
    ],
    [
      "both had finished",
      [finished, started, { ...finished, result: { ...finished.result, toolCallId: "two" } }],
      {},
      [],
      ["read before", "read before"],
    ],
  ])("W16: where %s, runs what may run", (_name, entries, more, expectedRuns, summaries) => {
    const { tools, runs } = counted(more);
    const log = memoryLog([...begun, ...entries].map((entry) => JSON.stringify(entry)));
    return withWorker({ tools, log, script: [DONE] }, async ({ worker, provider }) => {
      expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
      expect(runs).toEqual(expectedRuns);
      expect(resultsIn(worker.history).map(({ summary }) => summary)).toEqual(summaries);
      expect(checkHistory(provider.requests[0]?.body.messages)).toBeUndefined();
      const again = createWorker({ client: neverAsked, tools, log: memoryLog(log.lines) });
      expect(await again.resume()).toEqual({ type: "finished", text: "Done." });
      expect(again.history).toEqual(worker.history);
    });
  });

  // Mutants seen to fail: the text of the stop for every call; for one whose tool is idempotent.
  it.each([
    ["cancelled before it goes on", {}, undefined],
    ["aborted at the call before", {}, "Read"],
    ["aborted at the call itself, which is idempotent", { idempotent: true }, "Write"],
    ["cancelled before it goes on, though it is idempotent", { idempotent: true }, undefined],
  ])("W16: where the run is %s, a call that had started stays unknown", async (_name, more, abortAt) => {
    const { tools, runs } = counted(more);
    const log = memoryLog([...begun, started].map((entry) => JSON.stringify(entry)));
    const abort: Interceptor = {
      preToolCall: ({ toolName }) => (toolName === abortAt ? { type: "abort", reason: "no" } : undefined),
    };
    const worker = createWorker({ client: neverAsked, tools, log, interceptors: [abort] });
    const outcome = await worker.resume(abortAt === undefined ? { signal: AbortSignal.abort() } : {});
    expect(outcome.type).toBe(abortAt === undefined ? "cancelled" : "aborted");
    expect(runs).toEqual([]);
    expect(resultsIn(worker.history).map(({ summary }) => summary)).toEqual([
      abortAt === undefined ? "cancelled" : "aborted: no",
      expect.stringMatching(/^outcome unknown/),
    ]);
  });

  it("W16 W1: caps what the log holds, whoever wrote it", () => {
    const fat = { ...finished, result: { ...finished.result, content: "x".repeat(100_000) } };
    const log = memoryLog([...begun, fat].map((entry) => JSON.stringify(entry)));
    return withWorker({ ...counted(), log, script: [DONE] }, async ({ worker }) => {
      await worker.resume();
      expect(resultsIn(worker.history)[0]?.content).toHaveLength(16_384);
    });
  });

  it("W16 W14: brings the rest of the batch within its budget, finished results too", () => {
    const results = ["one", "two"].map((toolCallId) => ({
      ...finished,
      result: { ...finished.result, toolCallId, content: "x".repeat(5_000) },
    }));
    const log = memoryLog([...begun, ...results].map((entry) => JSON.stringify(entry)));
    const toolOutput = { defaultMaxBytes: 16_384, perTool: {}, turnMaxBytes: 4_096 };
    return withWorker({ ...counted(), toolOutput, log, script: [DONE] }, async ({ worker }) => {
      await worker.resume();
      expect(resultsIn(worker.history).map(({ truncation }) => truncation?.reason)).toEqual([
        "turn-budget",
        "turn-budget",
      ]);
      const again = createWorker({ client: neverAsked, tools: [], log: memoryLog(log.lines), toolOutput });
      await again.resume();
      expect(again.history).toEqual(worker.history);
    });
  });

  it.each([
    ["an entry of no kind", { type: "nonsense" }, "log[2].type"],
    ["no object", null, "log[2]"],
    ["a result without its call", { ...finished, result: { ...finished.result, toolCallId: "three" } }, undefined],
  ])("W16: tells of %s, and runs nothing", async (_name, entry, place) => {
    const { tools, runs } = counted();
    const log = memoryLog([...begun, entry].map((each) => JSON.stringify(each)));
    const worker = createWorker({
      client: neverAsked,
      tools,
      log,
      interceptors: [{ preToolCall: () => ({ type: "pause" }) }],
    });
    if (place === undefined) expect(await worker.resume()).toMatchObject({ type: "paused" });
    else await expect(worker.resume()).rejects.toThrow(place);
    expect(runs).toEqual([]);
  });

  // Mutant seen to fail: an entry of no open batch is a fault.
  it.each([
    ["started", [started]],
    ["finished", [started, finished, { type: "batch-finished", lowered: [] }]],
    ["made smaller", [{ type: "batch-recapped", lowered: [] }]],
  ])("W16 W17: goes on where a repair left out the answer of a batch that %s", (_name, orphans) => {
    const { tools, runs } = counted();
    const log = memoryLog([begun[0], ...orphans].map((entry) => JSON.stringify(entry)));
    return withWorker({ tools, log, script: [DONE] }, async ({ worker }) => {
      expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
      expect(runs).toEqual([]);
    });
  });

  it("W16: refuses a history beside a log that began with another", async () => {
    const log = memoryLog(begun.map((entry) => JSON.stringify(entry)));
    const worker = createWorker({ client: neverAsked, tools: [], log, history: [{ role: "user", text: "Hi" }] });
    await expect(worker.resume()).rejects.toThrow("history: expected none, or the one that the log began with");
    expect(log.lines).toHaveLength(begun.length);
  });

  // Mutant seen to fail: the import is not gone on with.
  it.each([0, 1, 2, 3, 4, 5])(
    "W16: a history that a worker wrote down but for entry %i on is written down to its end",
    (failAt) => {
      const history: Message[] = [
        { role: "user", text: "Look" },
        message,
        {
          role: "tool",
          results: ["one", "two"].map((id) => ({
            toolCallId: id,
            toolName: id === "one" ? "Read" : "Write",
            summary: id,
            isError: false,
          })),
        },
        { role: "user", text: "And?" },
      ];
      const log = memoryLog([], [failAt]);
      const before = createWorker({ client: neverAsked, tools: [], log, history });
      const stage = { history, log: memoryLog(), script: [DONE] };
      return withWorker(stage, async (whole) => {
        await whole.worker.resume();
        await expect(before.resume()).rejects.toThrow("the disk is full");
        const rest = memoryLog(log.lines);
        await withWorker({ ...stage, log: rest }, async ({ worker }) => {
          expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
          expect(rest.lines).toEqual(stage.log.lines);
          // A service that always hands its old history over goes on from the log.
          const again = createWorker({ client: neverAsked, tools: [], log: memoryLog(rest.lines), history });
          expect(await again.resume()).toEqual({ type: "finished", text: "Done." });
          expect(again.history).toEqual(worker.history);
        });
      });
    },
  );

  it("W16: begins an empty log with the history that was handed in", () => {
    const log = memoryLog();
    const history: Message[] = [{ role: "user", text: "Hi" }, message];
    return withWorker({ ...counted(), log, history, script: [DONE] }, async ({ worker }) => {
      await worker.run("Go on");
      const again = createWorker({ client: neverAsked, tools: [], log: memoryLog(log.lines) });
      await again.resume();
      expect(again.history).toEqual(worker.history);
      expect(resultsIn(worker.history)).toHaveLength(2);
    });
  });
});

describe("a log that fails", () => {
  // user, answer, started, started, finished, finished, batch, answer
  it.each([0, 1, 2, 3, 4, 5, 6, 7])(
    "W16 W3: at entry %i ends the run with its error, and the next worker goes on",
    (failAt) => {
      const { tools, runs } = counted();
      const log = memoryLog([], [failAt]);
      return withWorker({ tools, log, script: [TWO, DONE] }, async ({ worker, events }) => {
        await expect(worker.run("Look")).rejects.toThrow("the disk is full");
        const before = [...runs];
        expect(eventsOfType(events, "turn-start")).toHaveLength(eventsOfType(events, "turn-end").length);
        for (const run of [() => worker.run("Again"), () => worker.resume()]) {
          await expect(run()).rejects.toThrow("the disk is full");
        }
        expect(runs).toEqual(before);
        const open = worker.history
          .flatMap((each) => (each.role === "assistant" ? each.parts : []))
          .filter(({ type }) => type === "tool-call");
        expect(resultsIn(worker.history)).toHaveLength(open.length);
        await withWorker(
          { tools, log: memoryLog(log.lines), script: failAt <= 1 ? [TWO, DONE] : [DONE] },
          async (second) => {
            const run = failAt === 0 ? second.worker.run("Look") : second.worker.resume();
            expect(await run).toEqual({ type: "finished", text: "Done." });
            expect(resultsIn(second.worker.history)).toHaveLength(2);
          },
        );
        for (const name of ["Read", "Write"]) expect(runs.filter((ran) => ran === name).length).toBeLessThanOrEqual(1);
      });
    },
  );
});

describe("a run that ended", () => {
  it("W16: by a failure of the provider goes on where it was", () =>
    withWorker({ ...counted(), script: [TWO, refuse(400), DONE] }, async ({ worker }) => {
      await expect(worker.run("Look")).rejects.toMatchObject({ status: 400 });
      expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
      expect(worker.history.filter(({ role }) => role === "user")).toHaveLength(1);
    }));

  it("W16: by max-turns goes on with as many again", () =>
    withWorker({ ...counted(), maxTurns: 1, script: [TWO, TWO, DONE] }, async ({ worker }) => {
      expect(await worker.run("Look")).toEqual({ type: "max-turns" });
      expect(await worker.resume()).toEqual({ type: "max-turns" });
      expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
    }));

  it("W16: by itself comes to the same outcome again, and asks nobody", () =>
    withWorker({ script: [DONE] }, async ({ worker, provider }) => {
      await worker.run("Look");
      expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
      expect(provider.requests).toHaveLength(1);
    }));

  it("W16: is an error where none has begun", async () => {
    const worker = createWorker({ client: neverAsked, tools: [] });
    await expect(worker.resume()).rejects.toMatchObject({ name: "InvalidOptionsError" });
  });
});

describe("a history that was handed in with an open call", () => {
  const open: Message[] = [
    { role: "user", text: "Look" },
    { role: "assistant", parts: [{ type: "tool-call", toolCallId: "one", toolName: "Read", input: {} }] },
  ];

  it("W16: runs it on resume where its tool is idempotent", () => {
    const { tools, runs } = counted({ idempotent: true });
    return withWorker({ tools, history: open, script: [DONE] }, async ({ worker }) => {
      expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
      expect(runs).toEqual(["Read"]);
    });
  });

  it.each([
    ["its tool is not idempotent", {}, "resume"],
    ["a new input comes", { idempotent: true }, "run"],
  ] as const)("W16: closes it where %s", (_name, more, method) => {
    const { tools, runs } = counted(more);
    return withWorker({ tools, history: open, script: [DONE] }, async ({ worker }) => {
      await (method === "run" ? worker.run("Go on") : worker.resume());
      expect(runs).toEqual([]);
      expect(resultsIn(worker.history)).toMatchObject([{ summary: expect.stringMatching(/^outcome unknown/) }]);
    });
  });
});

const neverAsked = {
  stream: () => {
    throw new Error("nobody was to be asked");
  },
};
