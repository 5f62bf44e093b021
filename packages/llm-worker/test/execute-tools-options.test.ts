import {
  createWorker,
  type ExecuteToolsOptions,
  executeTools,
  InvalidOptionsError,
  type LlmClient,
  type ToolCall,
} from "@pod/llm-worker";
import { describe, expect, it } from "vitest";
import { toolOf } from "./support/tool-of.js";

const calls: readonly ToolCall[] = [{ toolCallId: "call-1", toolName: "Read", input: {} }];
const read = toolOf("Read", () => "done");
const nothingAsked: LlmClient = {
  stream: () => {
    throw new Error("no request is made");
  },
};

/** A wrong option, and how the fault begins that names it. */
const wrong: readonly (readonly [options: object, place: string])[] = [
  ...[undefined, null, "Read", { Read: read }].map((tools) => [{ tools }, "tools:"] as const),
  ...[undefined, null, 7, "Read"].map((tool) => [{ tools: [read, tool] }, "tools[1]:"] as const),
  ...["", 7, undefined].map((name) => [{ tools: [{ ...read, name }] }, "tools[0].name:"] as const),
  [{ tools: [read, toolOf("Other", () => ""), read] }, "tools[2].name:"],
  ...[7, undefined].map((description) => [{ tools: [{ ...read, description }] }, "tools[0].description:"] as const),
  ...[undefined, null, "object", true].map(
    (inputSchema) => [{ tools: [{ ...read, inputSchema }] }, "tools[0].inputSchema:"] as const,
  ),
  ...[undefined, "done", {}].map((execute) => [{ tools: [{ ...read, execute }] }, "tools[0].execute:"] as const),
  ...wrongCounts().map((timeoutMs) => [{ tools: [{ ...read, timeoutMs }] }, "tools[0].timeoutMs:"] as const),
  ...["maxConcurrency", "toolTimeoutMs", "interceptorTimeoutMs"].flatMap((name) =>
    wrongCounts().map((count) => [{ [name]: count }, `${name}:`] as const),
  ),
  ...[null, "Read", {}, new Map()].map((interceptors) => [{ interceptors }, "interceptors:"] as const),
  ...[null, undefined, 7, "skip"].map((item) => [{ interceptors: [{}, item] }, "interceptors[1]:"] as const),
  ...["preToolCall", "postToolCall"].flatMap((hook) =>
    [null, "skip", {}].map((value) => [{ interceptors: [{ [hook]: value }] }, `interceptors[0].${hook}:`] as const),
  ),
  ...[null, "print", {}].map((onEvent) => [{ onEvent }, "onEvent:"] as const),
  ...[null, 16_384, "16384"].map((toolOutput) => [{ toolOutput }, "toolOutput:"] as const),
  ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "500", 500n, null, undefined].flatMap(
    (maxBytes) =>
      [
        [{ toolOutput: { defaultMaxBytes: maxBytes, perTool: {} } }, "toolOutput.defaultMaxBytes"],
        [{ toolOutput: { defaultMaxBytes: 500, perTool: { Read: maxBytes } } }, 'toolOutput.perTool["Read"]'],
        [{ toolOutput: { defaultMaxBytes: 500, perTool: { Read: { maxBytes } } } }, 'toolOutput.perTool["Read"]'],
      ] as const,
  ),
  ...[null, "", "Tail", "middle", ["tail"], 1].map(
    (keep) => [{ toolOutput: { defaultMaxBytes: 500, perTool: { Read: 9 }, keep } }, "toolOutput.keep:"] as const,
  ),
  ...[undefined, null, [], new Map(), 7].map(
    (perTool) => [{ toolOutput: { defaultMaxBytes: 500, perTool } }, "toolOutput.perTool"] as const,
  ),
];

describe("a wrong option", () => {
  it.for(wrong.map(describeCase))("W3 W6: is named by executeTools: %s", async ([, options, place]) => {
    const faults = await faultsOf(() => executeTools(calls, { tools: [read], ...options } as ExecuteToolsOptions));
    expectOneFault(faults, place);
  });

  it.for(wrong.map(describeCase))("W3 W6: is named by createWorker: %s", async ([, options, place]) => {
    const given = { client: nothingAsked, tools: [read], ...options } as Parameters<typeof createWorker>[0];
    expectOneFault(await faultsOf(() => createWorker(given)), place);
  });

  it.each([null, "now", {}, new EventTarget(), { aborted: true }])("W2: a signal that is none: %s", async (signal) => {
    const options: object = { tools: [read], signal };
    expectOneFault(await faultsOf(() => executeTools(calls, options as ExecuteToolsOptions)), "options.signal:");
  });

  it.each<unknown>([undefined, null, 7, "tools"])("W3: options that are none: %s", async (options) => {
    expectOneFault(await faultsOf(() => executeTools(calls, options as ExecuteToolsOptions)), "options:");
  });
});

describe("calls that are none", () => {
  it.each<[unknown, string]>([
    [undefined, "calls:"],
    [null, "calls:"],
    ["Read", "calls:"],
    [{ length: 1, 0: calls[0] }, "calls:"],
    [[null], "calls[0]"],
    [[...calls, undefined], "calls[1]"],
    [[...calls, "Read"], "calls[1].toolName:"],
    [[...calls, { toolCallId: "call-2", input: {} }], "calls[1].toolName:"],
    [[{ toolCallId: "call-1", toolName: 7, input: {} }], "calls[0].toolName:"],
  ])("W3: are named: %o", async (wrongCalls, place) => {
    const faults = await faultsOf(() => executeTools(wrongCalls as readonly ToolCall[], { tools: [read] }));
    expectOneFault(faults, place);
  });
});

describe("several faults", () => {
  it.each<[string, object]>([
    ["an object", {}],
    ["an array", []],
  ])("W6: limits that are %s without fields have none", async (_what, toolOutput) => {
    const faults = await faultsOf(() => executeTools(calls, { tools: [read], toolOutput } as ExecuteToolsOptions));
    expect(faults).toEqual([
      expect.stringMatching(/^toolOutput\.defaultMaxBytes: expected .+, received undefined/),
      expect.stringMatching(/^toolOutput\.perTool: expected .+, received undefined/),
    ]);
  });

  // Mutant seen to fail: an error that tells the first alone.
  it("W3 W6: are told at once, each on a line with what was expected and what came", async () => {
    const options: object = {
      tools: [{ ...read, name: "" }, 7],
      toolOutput: { defaultMaxBytes: 0, perTool: { Read: -1, Other: "x".repeat(500) } },
      interceptors: [7, { preToolCall: "skip" }],
      maxConcurrency: 0,
      toolTimeoutMs: "soon",
      interceptorTimeoutMs: Number.NaN,
      onEvent: "print",
      signal: "now",
    };
    const wrongCalls: unknown = "Read";
    const error = await errorOf(() => executeTools(wrongCalls as readonly ToolCall[], options as ExecuteToolsOptions));
    const places = [
      "calls:",
      "options.signal:",
      "tools[0].name:",
      "tools[1]:",
      "toolOutput.defaultMaxBytes",
      'toolOutput.perTool["Read"]',
      'toolOutput.perTool["Other"]',
      "interceptors[0]:",
      "interceptors[1].preToolCall:",
      "maxConcurrency:",
      "toolTimeoutMs:",
      "interceptorTimeoutMs:",
      "onEvent:",
    ];
    for (const place of places) {
      expect(
        error.faults.filter((fault) => fault.startsWith(place)),
        place,
      ).toHaveLength(1);
    }
    expect(error.faults).toHaveLength(places.length);
    expect(error.message).toBe(error.faults.join("\n"));
    for (const fault of error.faults) {
      expect(fault).toMatch(/: expected .+, received .+/);
      expect(fault.length).toBeLessThan(300);
    }
  });

  it("W3: are told before anything runs, and the error is a TypeError", async () => {
    const asked: string[] = [];
    const error = await errorOf(() =>
      executeTools([...calls, Object(null)], {
        tools: [toolOf("Read", () => "done")],
        interceptors: [{ preToolCall: ({ toolCallId }) => void asked.push(toolCallId) }],
        onEvent: ({ type }) => void asked.push(type),
      }),
    );
    expect(error).toBeInstanceOf(TypeError);
    expect(error.name).toBe("InvalidOptionsError");
    expect(asked).toEqual([]);
  });
});

function wrongCounts(): readonly unknown[] {
  return [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "8", 8n, null];
}

function describeCase([options, place]: readonly [object, string], index: number) {
  return [`${place} (${index})`, options, place] as const;
}

function expectOneFault(faults: readonly string[], place: string): void {
  expect(faults).toHaveLength(1);
  expect(faults[0]?.slice(0, place.length)).toBe(place);
  expect(faults[0]).toMatch(/expected .+, received .+/);
}

async function faultsOf(act: () => unknown): Promise<readonly string[]> {
  return (await errorOf(act)).faults;
}

async function errorOf(act: () => unknown): Promise<InvalidOptionsError> {
  try {
    await act();
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error;
    throw error;
  }
  return expect.fail("no error");
}
