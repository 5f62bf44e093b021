import { describe, expect, it } from "vitest";
import { createUsageCounter, type UsageCounterState } from "../src/index.js";

const empty: UsageCounterState = { version: 1, samples: [], tools: [] };

describe("a state", () => {
  it("K3: is plain JSON, with the newest last", () => {
    const counter = createUsageCounter();
    counter.learn({ textBytes: 900, opaqueBytes: 0, inputTokens: 300, toolBytes: new Map([["Read", 900]]) });
    counter.learn({ textBytes: 600, opaqueBytes: 0, inputTokens: 200 });
    expect(JSON.parse(JSON.stringify(counter.state()))).toEqual({
      version: 1,
      samples: [
        { bytes: 900, tokens: 300 },
        { bytes: 600, tokens: 200 },
      ],
      tools: [{ name: "Read", samples: [{ bytes: 900, tokens: 300 }] }],
    });
  });

  it("K3: shares nothing with the counter", () => {
    const samples = [{ bytes: 900, tokens: 300 }];
    const counter = createUsageCounter({ version: 1, samples, tools: [{ name: "Read", samples }] });
    samples.push({ bytes: 1, tokens: 1 });
    for (const each of samples) each.tokens = 9;
    const { samples: told } = counter.state();
    expect(told).toEqual([{ bytes: 900, tokens: 300 }]);
    Object.assign(told[0] ?? {}, { tokens: 5 });
    expect(counter.state().samples).toEqual([{ bytes: 900, tokens: 300 }]);
  });

  // Mutants seen to fail: the oldest kept; the tool that was learned of first last.
  it("K3: holds the last 16 samples of all and of each tool, and the last 64 tools", () => {
    const counter = createUsageCounter();
    for (let tool = 0; tool < 70; tool++) {
      for (let time = 1; time <= 20; time++) {
        const toolBytes = new Map([[`tool-${tool}`, 1_000]]);
        counter.learn({ textBytes: 1_000, opaqueBytes: 0, inputTokens: time, toolBytes });
      }
    }
    counter.learn({ textBytes: 1_000, opaqueBytes: 0, inputTokens: 5, toolBytes: new Map([["tool-6", 1_000]]) });
    const { samples, tools } = counter.state();
    expect(samples.map(({ tokens }) => tokens)).toEqual([...Array.from({ length: 15 }, (_, index) => index + 6), 5]);
    expect(tools.map(({ name }) => name)).toEqual([
      ...Array.from({ length: 63 }, (_, index) => `tool-${index + 7}`),
      "tool-6",
    ]);
    expect(new Set(tools.map((tool) => tool.samples.length))).toEqual(new Set([16]));
    expect(createUsageCounter(counter.state()).state()).toEqual(counter.state());
  });

  it("K3: of too much, the newest is taken", () => {
    const samples = Array.from({ length: 40 }, (_, index) => ({ bytes: 1_000, tokens: index + 1 }));
    const tools = Array.from({ length: 70 }, (_, index) => ({ name: `tool-${index}`, samples }));
    const state = createUsageCounter({ version: 1, samples, tools }).state();
    expect(state.samples).toEqual(samples.slice(-16));
    expect(state.tools).toEqual(tools.slice(-64).map(({ name }) => ({ name, samples: samples.slice(-16) })));
  });
});

describe("a state that is none", () => {
  const remedy = "Write: createUsageCounter(counter.state()), or createUsageCounter() to begin anew";

  it.each<[string, unknown, string]>([
    ["null", null, "state: expected an object, received null"],
    ["a text", '{"version":1}', 'state: expected an object, received "{\\"version\\":1}"'],
    ["a list", [], "state: expected an object, received an array"],
    ["nothing", {}, "state.version: expected 1, received undefined"],
    ["a newer one", { ...empty, version: 2 }, "state.version: expected 1, received 2"],
    ["no samples", { version: 1, tools: [] }, "state.samples: expected an array, received undefined"],
    [
      "a table of tools",
      { ...empty, tools: { Read: [] } },
      "state.tools: expected an array, received a value of type object",
    ],
    ["no name", { ...empty, tools: [{ samples: [] }] }, "state.tools[0].name: expected a string, received undefined"],
    [
      "two of a name",
      { ...empty, tools: [1, 2].map(() => ({ name: "Read", samples: [] })) },
      'state.tools[1].name: expected a name that comes once, received "Read"',
    ],
    ["no sample", { ...empty, samples: [5] }, "state.samples[0]: expected an object, received 5"],
    [
      "no bytes",
      { ...empty, samples: [{ bytes: 0, tokens: 1 }] },
      "state.samples[0].bytes: expected an integer from 1, received 0",
    ],
    [
      "a fraction of a tool's tokens",
      { ...empty, tools: [{ name: "Read", samples: [{ bytes: 5, tokens: 1.5 }] }] },
      "state.tools[0].samples[0].tokens: expected an integer from 1, received 1.5",
    ],
    [
      "an endless text",
      { ...empty, version: "9".repeat(1_000) },
      `state.version: expected 1, received "${"9".repeat(80)}"`,
    ],
  ])("K3: is a TypeError that says where: %s", (_what, state, fault) => {
    // What comes from a file has no type.
    const make: (state: never) => unknown = createUsageCounter;
    expect(() => Reflect.apply(make, undefined, [state])).toThrow(new TypeError(`${fault}. ${remedy}`));
  });
});
