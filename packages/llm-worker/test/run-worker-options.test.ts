import { answer, refuse, text, toolUse } from "@pod/test-harness";
import { describe, expect, it } from "vitest";
import { createWorker, type Interceptor, InvalidOptionsError, type WorkerOptions } from "../src/index.js";
import { makeTool, resultsIn, withWorker } from "./support/with-worker.js";

const client = {
  stream: () => {
    throw new Error("nobody asked for a run");
  },
};
const right = { client, tools: [makeTool("Glob", () => "found")] };
const COUNT = "an integer from 1 to 2147483647";
const noCounts = [0, -1, 1.5, "3", null, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 5n];

// The options that executeTools has as well are shown with it, for both.
describe("createWorker", () => {
  // Mutants seen to fail, one for each option: it is not checked.
  const wrong: readonly (readonly [string, object, RegExp])[] = [
    ...[undefined, null, 5, "model", {}, { stream: "stream" }].map(
      (value) =>
        [`the client ${describeValue(value)}`, { client: value }, /^client\.stream: expected a function/] as const,
    ),
    ...[null, 5, ["Be brief."]].map(
      (value) =>
        [
          `the instructions ${describeValue(value)}`,
          { instructions: value },
          /^instructions: expected a string/,
        ] as const,
    ),
    ...[null, 5, "slowly"].map(
      (value) => [`the sleep ${describeValue(value)}`, { sleep: value }, /^sleep: expected a function/] as const,
    ),
    ...[null, 5, "often"].map(
      (value) => [`the retry ${describeValue(value)}`, { retry: value }, /^retry: expected an object/] as const,
    ),
    ...[null, {}, "history"].map(
      (value) => [`the history ${describeValue(value)}`, { history: value }, /^history: expected an array/] as const,
    ),
    ...noCounts.flatMap((value) => [
      [`maxTurns ${describeValue(value)}`, { maxTurns: value }, RegExp(`^maxTurns: expected ${COUNT}`)] as const,
      [
        `maxAttempts ${describeValue(value)}`,
        { retry: { maxAttempts: value } },
        RegExp(`^retry\\.maxAttempts: expected ${COUNT}`),
      ] as const,
      [
        `maxTotalMs ${describeValue(value)}`,
        { retry: { maxTotalMs: value } },
        RegExp(`^retry\\.maxTotalMs: expected ${COUNT}`),
      ] as const,
    ]),
  ];
  it.each(wrong)("W6 W11: refuses %s by name, with what came", (_name, options, fault) => {
    const faults = faultsOf({ ...right, ...options });
    expect(faults).toEqual([expect.stringMatching(fault)]);
    expect(faults[0]).toContain(", received ");
  });

  it.each([undefined, null, 5, "options"])("W6: refuses %s for options", (options) => {
    expect(faultsOf(options)).toEqual([expect.stringMatching(/^options: expected an object, received/)]);
  });

  it("W6 W3: tells all faults at once, one line each", () => {
    const places = faultsOf({
      client: undefined,
      tools: [null, { ...right.tools[0], name: "" }],
      instructions: 5,
      sleep: 5,
      maxTurns: 0,
      maxConcurrency: 0,
      toolTimeoutMs: 0,
      interceptorTimeoutMs: 0,
      onEvent: 5,
      interceptors: 5,
      retry: null,
      toolOutput: { defaultMaxBytes: 0, perTool: { Read: -1, Glob: Number.NaN } },
      history: [null, { role: "user", text: 5 }],
    }).map((fault) => fault.split(":")[0]);
    expect(places.toSorted()).toEqual([
      "client.stream",
      "history[0]",
      "history[1].text",
      "instructions",
      "interceptorTimeoutMs",
      "interceptors",
      "maxConcurrency",
      "maxTurns",
      "onEvent",
      "retry",
      "sleep",
      "toolOutput.defaultMaxBytes",
      'toolOutput.perTool["Glob"]',
      'toolOutput.perTool["Read"]',
      "toolTimeoutMs",
      "tools[0]",
      "tools[1].name",
    ]);
  });

  it("W6: shows at most 80 characters of what came", () => {
    const [fault = ""] = faultsOf({ ...right, instructions: { secret: "x".repeat(1_000) } });
    expect(fault.length).toBeLessThan(150);
  });

  // Mutants seen to fail: the list of interceptors, of tools or of limits is kept as it is.
  it("W6: has its options copied: what is done to them later changes nothing", () => {
    const options = {
      tools: [makeTool("Glob", () => "x".repeat(5_000))],
      toolOutput: { defaultMaxBytes: 1_000, perTool: { Glob: 2_000 } },
      retry: { maxAttempts: 1 },
      interceptors: [] as Interceptor[],
    };
    const script = [refuse(529), answer(toolUse("Glob", {})), answer(text("Done."))];
    return withWorker({ ...options, script }, async ({ worker, provider }) => {
      options.tools.length = 0;
      options.toolOutput.perTool.Glob = 4_000;
      options.retry.maxAttempts = 5;
      options.interceptors.push({ preToolCall: () => ({ type: "skip", reason: "too late" }) });
      await expect(worker.run("Look")).rejects.toThrow();
      expect(await worker.run("Again")).toEqual({ type: "finished", text: "Done." });
      expect(provider.requests).toHaveLength(3);
      expect(resultsIn(worker.history)).toMatchObject([{ isError: false, truncation: { maxBytes: 2_000 } }]);
    });
  });
});

describe("run", () => {
  const wrong: readonly (readonly [string, readonly unknown[], readonly RegExp[]])[] = [
    ...[undefined, null, 5, "", " \n", ["Look"]].map(
      (value) =>
        [`the input ${describeValue(value)}`, [value], [/^input: expected a string that is not blank/]] as const,
    ),
    ...[null, 5, "now"].map(
      (value) => [`the options ${describeValue(value)}`, ["Look", value], [/^options: expected an object/]] as const,
    ),
    ...[null, 5, {}, { aborted: false }].map(
      (value) =>
        [
          `the signal ${describeValue(value)}`,
          ["Look", { signal: value }],
          [/^options\.signal: expected an AbortSignal/],
        ] as const,
    ),
    ["both", ["", { signal: 5 }], [/^input/, /^options\.signal/]],
  ];
  // Mutants seen to fail: `options` is taken apart before it is looked at; the input enters history unchecked.
  it.each(wrong)("W3: refuses %s by name, and history is not touched", async (_name, args, faults) => {
    const worker = createWorker(right);
    const refused: unknown = await Reflect.apply(worker.run, worker, args).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidOptionsError);
    expect(refused).toMatchObject({ faults: faults.map((fault) => expect.stringMatching(fault)) });
    expect(worker.history).toEqual([]);
  });
});

function faultsOf(options: unknown): readonly string[] {
  try {
    createWorker(options as WorkerOptions);
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.faults;
    throw error;
  }
  throw new Error("the worker was made");
}

function describeValue(value: unknown): string {
  return typeof value === "object" || typeof value === "string" ? JSON.stringify(value) : String(value);
}
