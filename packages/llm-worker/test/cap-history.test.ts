import { answer, text, toolResultTexts, toolUse } from "@pod/test-harness";
import { countUtf8Bytes } from "@pod/test-harness/laws";
import { formatMarker } from "@pod/tool-output-cap";
import { describe, expect, it } from "vitest";
import { capHistory, InvalidOptionsError, type Message, type ToolResult } from "../src/index.js";
import { makeTool, resultsIn, statusesOf, withWorker } from "./support/with-worker.js";

const LARGE = "packages/some-package/src/index.ts\n".repeat(3_600);

function call(toolCallId: string, toolName = "Glob") {
  return { type: "tool-call", toolCallId, toolName, input: { pattern: "*" } } as const;
}

function result(toolCallId: string, fields: Partial<ToolResult> = {}): ToolResult {
  return { toolCallId, toolName: "Glob", summary: "found", isError: false, ...fields };
}

const asks: Message = { role: "user", text: "Look" };
const closed = (toolCallId: string) => ({
  toolCallId,
  toolName: "Glob",
  summary: "outcome unknown: the run ended before this call had a result",
  isError: true,
});

/** A history of the incident: one result that no account can take. */
const poisoned: readonly Message[] = [
  asks,
  { role: "assistant", parts: [{ type: "text", text: "I look." }, call("a"), call("b", "Read")] },
  {
    role: "tool",
    results: [result("a", { content: LARGE }), result("b", { toolName: "Read", content: LARGE, isError: true })],
  },
  { role: "assistant", parts: [{ type: "text", text: "Done." }] },
];

describe("a history that was recorded without the cap", () => {
  // Mutants seen to fail: the default limit for every tool; `isError` is not copied.
  it("W1 W6 W7: is capped, each result by the limit of its tool", () => {
    const capped = capHistory(poisoned, { defaultMaxBytes: 1_000, perTool: { Read: 2_000 } });
    const [first, second] = resultsIn(capped);
    expect([first, second].map((each) => countUtf8Bytes(each?.content ?? ""))).toEqual([1_000, 2_000]);
    expect(first).toEqual({
      ...result("a"),
      content: `${LARGE.slice(0, 946)}\n\n${formatMarker(LARGE.length - 946)}`,
      truncation: { maxBytes: 1_000, originalBytes: LARGE.length, keptBytes: 946, droppedBytes: LARGE.length - 946 },
    });
    expect(second).toMatchObject({ isError: true, truncation: { maxBytes: 2_000, originalBytes: LARGE.length } });
    expect([capped[0], capped[1], capped[3]]).toEqual([poisoned[0], poisoned[1], poisoned[3]]);
  });

  it("W1 W6: is capped by the default limit where none is given", () => {
    const sizes = resultsIn(capHistory(poisoned)).map(({ content = "" }) => countUtf8Bytes(content));
    expect(sizes).toEqual([16_384, 16_384]);
  });

  it("W1: can be gone on with: what the provider receives is capped", () =>
    withWorker(
      { history: poisoned, account: { inputTokensPerMinute: 30_000 }, script: [answer(text("On we go."))] },
      async ({ worker, provider }) => {
        expect(await worker.run("Go on")).toEqual({ type: "finished", text: "On we go." });
        expect(statusesOf(provider)).toEqual([200]);
        const [first] = resultsIn(worker.history);
        expect(toolResultTexts(provider.requests[0]?.body ?? { model: "", max_tokens: 0, messages: [] })[0]).toBe(
          `found\n${first?.content}`,
        );
      },
    ));

  it("W9: is not touched, and the copy shares nothing with it", () => {
    const before = structuredClone(poisoned);
    const capped = capHistory(poisoned);
    expect(poisoned).toEqual(before);
    for (const [index, message] of capped.entries()) expect(message).not.toBe(poisoned[index]);
    expect(Object.isFrozen(poisoned) || Object.isFrozen(poisoned[0])).toBe(false);
  });

  it("W9: comes out equal when it is capped again", () => {
    const limits = { defaultMaxBytes: 1_000, perTool: {} };
    const capped = capHistory(poisoned, limits);
    expect(capHistory(capped, limits)).toEqual(capped);
  });

  it("W1: counts from the original when it is capped again at a smaller limit", () => {
    const capped = capHistory(capHistory(poisoned), { defaultMaxBytes: 500, perTool: {} });
    expect(resultsIn(capped)).toEqual(resultsIn(capHistory(poisoned, { defaultMaxBytes: 500, perTool: {} })));
  });
});

describe("what a recorded result may not do", () => {
  const limits = { defaultMaxBytes: 200, perTool: {} };
  const marker = formatMarker(1_000_000);
  const record = { maxBytes: 200, originalBytes: 1_000_100, keptBytes: 100, droppedBytes: 1_000_000 };

  function capOne(fields: object): ToolResult {
    const capped = capHistory(
      [asks, { role: "assistant", parts: [call("a")] }, { role: "tool", results: [{ ...result("a"), ...fields }] }],
      limits,
    );
    const [first] = resultsIn(capped);
    if (first === undefined) throw new Error("no result");
    return first;
  }

  const large = "y".repeat(5_000);
  // Mutant seen to fail: a record is believed as it is.
  it.each([
    ["a record that says nothing was dropped", large, { ...record, originalBytes: 100, droppedBytes: 0 }],
    ["a record of other figures", large, record],
    ["a record and a marker of other figures", `${large}\n\n${marker}`, record],
    ["a record that is no object", large, "cut"],
    ["a record of texts", large, { maxBytes: "1", originalBytes: "2", keptBytes: "1", droppedBytes: "1" }],
    ["a marker alone", `${large}\n\n${marker}`, undefined],
    ["nothing but markers", marker.repeat(100), undefined],
  ])("W1: is not cut by its own word: %s", (_name, content, truncation) => {
    const capped = capOne({ content, truncation });
    expect(countUtf8Bytes(capped.content ?? "")).toBe(200);
    expect(capped.truncation).toMatchObject({ maxBytes: 200, originalBytes: countUtf8Bytes(content) });
    expect(capped.content?.startsWith(content.slice(0, 100))).toBe(true);
  });

  // Mutant seen to fail: a record is believed as it is.
  it.each([
    ["of a content that is whole", { content: "whole", truncation: record }],
    ["of a content that imitates the marker", { content: `whole\n\n${marker}`, truncation: record }],
    ["of no content", { truncation: record }],
  ])("W1: keeps no forged record %s", (_name, fields) => {
    expect(capOne(fields)).not.toHaveProperty("truncation");
  });

  it("W1: keeps a true record, of a content that is within a larger limit", () => {
    const [cut] = resultsIn(capHistory(poisoned, { defaultMaxBytes: 150, perTool: {} }));
    expect(capOne({ ...cut })).toEqual(cut);
  });

  it("W8 W9: hands no field over but the known ones, each read once", () => {
    let reads = 0;
    class Recorded {
      toolCallId = "a";
      toolName = "Glob";
      isError = false;
      secret = large;
      get summary() {
        return "found";
      }
      get content() {
        reads++;
        return reads === 1 ? "first" : large.repeat(10);
      }
      toJSON() {
        return { content: large };
      }
    }
    const capped = capHistory([
      asks,
      { role: "assistant", parts: [Object.assign({ secret: large }, call("a"))] },
      { role: "tool", results: [Object.assign(new Recorded(), { [Symbol("s")]: large })] },
    ]);
    expect(reads).toBe(1);
    expect(capped[2]).toEqual({
      role: "tool",
      results: [{ ...result("a"), content: "first" }],
    });
    expect(Object.getPrototypeOf(resultsIn(capped)[0])).toBe(Object.prototype);
    expect(JSON.stringify(capped)).not.toContain("yyyy");
  });

  // Mutant seen to fail: a text is read twice.
  it("W9: reads a text that changes once", () => {
    const changing = () => {
      let reads = 0;
      return { get: () => (++reads === 1 ? "said" : " "), enumerable: true };
    };
    const user = Object.defineProperty({ role: "user" as const, text: "" }, "text", changing());
    const part = Object.defineProperty({ type: "text" as const, text: "" }, "text", changing());
    const thought = Object.defineProperty({ type: "reasoning" as const, text: "" }, "text", changing());
    expect(capHistory([user, { role: "assistant", parts: [part, thought] }])).toEqual([
      { role: "user", text: "said" },
      {
        role: "assistant",
        parts: [
          { type: "text", text: "said" },
          { type: "reasoning", text: "said" },
        ],
      },
    ]);
  });

  it("W8: has content of any shape made a text, binary data its size", () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    expect(capOne({ content: { list: [1n, circular] } }).content).toBe('{"list":["1",{"self":"[circular]"}]}');
    expect(capOne({ content: Buffer.alloc(1_000) }).content).toBe("[binary: 1000 bytes]");
    expect(capOne({ content: "" })).not.toHaveProperty("content");
    expect(capOne({ summary: undefined, content: null }).summary).toBe("(no output)");
  });

  it("W4: has a summary of more than 2,048 bytes capped as content", () => {
    const capped = capOne({ summary: `first line\n${large}` });
    expect(capped.summary).toBe("first line");
    expect(countUtf8Bytes(capped.content ?? "")).toBe(200);
  });
});

describe("what says nothing", () => {
  it("W9: is left out, since providers refuse it", () => {
    const history: readonly Message[] = [
      asks,
      { role: "user", text: " \n" },
      { role: "assistant", parts: [{ type: "text", text: "" }] },
      { role: "assistant", parts: [] },
      { role: "tool", results: [] },
      {
        role: "assistant",
        parts: [
          { type: "text", text: "Done." },
          { type: "reasoning", text: "" },
        ],
      },
    ];
    expect(capHistory(history)).toEqual([asks, { role: "assistant", parts: [{ type: "text", text: "Done." }] }]);
    expect(capHistory([])).toEqual([]);
  });
});

describe("createWorker with a history", () => {
  // Mutants seen to fail: the call is left open; split messages are not joined.
  const mended: readonly (readonly [string, readonly Message[], readonly object[]])[] = [
    ["no result at the end", [asks, { role: "assistant", parts: [call("a"), call("b")] }], [closed("a"), closed("b")]],
    [
      "no result in the middle",
      [asks, { role: "assistant", parts: [call("a")] }, { role: "user", text: "And?" }],
      [closed("a")],
    ],
    [
      "one of two results",
      [asks, { role: "assistant", parts: [call("a"), call("b")] }, { role: "tool", results: [result("b")] }],
      [closed("a"), result("b")],
    ],
    [
      "an empty tool message",
      [asks, { role: "assistant", parts: [call("a")] }, { role: "tool", results: [] }],
      [closed("a")],
    ],
    [
      "its results in a message each, in another order",
      [
        asks,
        { role: "assistant", parts: [call("a"), call("b"), call("c")] },
        { role: "tool", results: [result("c")] },
        { role: "tool", results: [result("a")] },
      ],
      [result("a"), closed("b"), result("c")],
    ],
    [
      "an id twice in a batch, each with its result",
      [
        asks,
        { role: "assistant", parts: [call("a"), call("a", "Read")] },
        { role: "tool", results: [result("a"), result("a", { toolName: "Read", summary: "read" })] },
      ],
      [result("a"), result("a-2", { toolName: "Read", summary: "read" })],
    ],
    [
      "an id twice in two batches, and an empty one",
      [
        asks,
        { role: "assistant", parts: [call("a")] },
        { role: "tool", results: [result("a")] },
        { role: "assistant", parts: [call("a"), call("")] },
        { role: "tool", results: [result("", { summary: "of the empty one" })] },
      ],
      [result("a"), closed("a-2"), result("call", { summary: "of the empty one" })],
    ],
    [
      "blank messages between a call and its result",
      [
        asks,
        { role: "assistant", parts: [call("a")] },
        { role: "user", text: " " },
        { role: "tool", results: [result("a")] },
      ],
      [result("a")],
    ],
  ];
  it.each(mended)("W3: gives each call its one result, under an id of its own: %s", (_name, history, results) => {
    const glob = makeTool("Glob", () => {
      throw new Error("it may have run already");
    });
    return withWorker({ tools: [glob], history, script: [answer(text("On."))] }, async ({ worker, provider }) => {
      expect(resultsIn(worker.history)).toEqual(results);
      expect(await worker.run("Go on")).toEqual({ type: "finished", text: "On." });
      expect(statusesOf(provider)).toEqual([200]);
    });
  });

  it("W9: copies it, so that later changes to it change nothing", () => {
    const history: Message[] = [{ role: "user", text: "Look" }];
    return withWorker({ history, script: [answer(text("On."))] }, async ({ worker }) => {
      history.push({ role: "user", text: "Look again" });
      expect(worker.history).toEqual([{ role: "user", text: "Look" }]);
      await worker.run("Go on");
      expect(worker.history).toHaveLength(3);
    });
  });

  it("W3: sends a thought without a signature nowhere, and what is left is accepted", () =>
    withWorker(
      {
        history: [asks, { role: "assistant", parts: [{ type: "reasoning", text: "hm" }] }],
        script: [answer(text("On."))],
      },
      async ({ worker, provider }) => {
        expect(await worker.run("Go on")).toEqual({ type: "finished", text: "On." });
        expect(statusesOf(provider)).toEqual([200]);
      },
    ));

  it("W3: continues ids where it left off", () =>
    withWorker(
      {
        tools: [makeTool("Glob", () => "found")],
        history: [asks, { role: "assistant", parts: [call("toolu_0_0")] }],
        script: [answer(toolUse("Glob", {})), answer(text("On."))],
      },
      async ({ worker, provider }) => {
        expect(await worker.run("Go on")).toEqual({ type: "finished", text: "On." });
        expect(statusesOf(provider)).toEqual([200, 200]);
      },
    ));
});

describe("a history that cannot be mended", () => {
  const assistant = { role: "assistant", parts: [call("a")] } as const;
  // Mutants seen to fail, one each: the check is left out.
  const faults: readonly (readonly [string, unknown, readonly string[]])[] = [
    ["no array", {}, ["history: expected an array, received an object"]],
    ["a text", "history", ['history: expected an array, received "history"']],
    ["null", null, ["history: expected an array, received null"]],
    [
      "holes",
      [asks, undefined, null, 5],
      [1, 2, 3].map((index) => `history[${index}]: expected an object, received ${[0, undefined, null, 5][index]}`),
    ],
    [
      "an unknown role",
      [{ role: "system", text: "x" }, asks],
      ['history[0].role: expected "user", "assistant" or "tool", received "system"'],
    ],
    [
      "texts that are none",
      [{ role: "user", text: 5 }, { role: "user" }],
      ["history[0].text: expected a string, received 5", "history[1].text: expected a string, received undefined"],
    ],
    ["parts that are none", [asks, { role: "assistant", parts: {} }], ["history[1].parts: expected an array"]],
    [
      "parts of an unknown type, and more",
      [asks, { role: "assistant", parts: [{ type: "image" }, { type: "text" }, { type: "tool-call" }, null] }],
      [
        'history[1].parts[0].type: expected "text", "reasoning" or "tool-call", received "image"',
        "history[1].parts[1].text: expected a string",
        "history[1].parts[2].toolName: expected a string",
        "history[1].parts[3]: expected an object",
      ],
    ],
    [
      "results that are none",
      [asks, assistant, { role: "tool", results: [{ toolCallId: 1, toolName: "Glob" }, { toolCallId: "a" }, null] }],
      [
        "history[2].results[0].toolCallId: expected a string, received 1",
        "history[2].results[1].toolName: expected a string, received undefined",
        "history[2].results[2]: expected an object, received null",
      ],
    ],
    [
      "getters that throw",
      [
        asks,
        {
          get role() {
            throw new Error("no role");
          },
        },
      ],
      ["history[1]: Error: no role"],
    ],
    ["a result without a call", [asks, { role: "tool", results: [result("a")] }], ['"a"']],
    [
      "a result of another call, and a second one of the same",
      [asks, assistant, { role: "tool", results: [result("b"), result("a"), result("a")] }],
      ['"b"', '"a"'],
    ],
    [
      "a result that comes too late",
      [asks, assistant, { role: "user", text: "x" }, { role: "tool", results: [result("a")] }],
      ['"a"'],
    ],
  ];
  it.each(faults)("W3: is an InvalidOptionsError that tells all faults: %s", async (_name, history, expected) => {
    const error = await adopting(history as readonly Message[]);
    expect(error.faults).toHaveLength(expected.length);
    for (const [index, fault] of expected.entries()) expect(error.faults[index]).toContain(fault);
    for (const fault of error.faults) expect(fault).toMatch(/^history/);
    expect(error.message).toBe(error.faults.join("\n"));
  });

  it("W6: tells faults of the limits and of the history at once", () => {
    expect(() => capHistory([{ role: "user", text: 5 } as never], { defaultMaxBytes: 0, perTool: {} })).toThrow(
      /defaultMaxBytes.*\n.*history\[0\]|history\[0\].*\n.*defaultMaxBytes/s,
    );
  });

  async function adopting(history: readonly Message[]): Promise<InvalidOptionsError> {
    try {
      await withWorker({ history, script: [] }, async () => {});
    } catch (error) {
      if (error instanceof InvalidOptionsError) return error;
      throw error;
    }
    throw new Error("the history was adopted");
  }
});
