import { inspect } from "node:util";
import { answer, text, thinking, toolUse } from "@pod/test-harness";
import { describe, expect, it } from "vitest";
import { History } from "../src/history.js";
import type { Message, ToolResult } from "../src/index.js";
import { makeToolResult } from "../src/tool-result.js";
import { blocksSent, makeTool, resultsIn, type Stage, withWorker } from "./support/with-worker.js";

const CANARY = "canary-0123456789-abcdefghijklmnopqrstuv";

/** An output that is cut long before the canary. */
const large = makeTool("Large", () => ({
  summary: "large",
  content: `${"x".repeat(100_000)}${CANARY}`,
  extra: CANARY,
}));
const failing = makeTool("Failing", () => {
  throw Object.assign(new Error(`${"y".repeat(50_000)}${CANARY}`), { secret: CANARY });
});
const odd = makeTool("Odd", () => ({ summary: "odd", content: { list: [1, -0, Number.NaN], "\ud800": undefined } }));

const RICH_SCRIPT = [
  answer(thinking("hm"), text("I look."), toolUse("Large", { deep: { list: [1, { a: null }] }, zero: -0 })),
  answer(toolUse("Failing", {}), toolUse("Odd", []), toolUse("Unknown", {})),
  answer(text("Found.")),
  answer(toolUse("Large", {})),
  answer(text("Found again.")),
];

/** Two runs with parts, results and failures of all kinds. */
function withRichHistory(use: (stage: Stage) => void | Promise<void>) {
  return withWorker({ tools: [large, failing, odd], script: RICH_SCRIPT }, async (stage) => {
    expect(await stage.worker.run("Look")).toEqual({ type: "finished", text: "Found." });
    expect(await stage.worker.run("Again")).toEqual({ type: "finished", text: "Found again." });
    await use(stage);
  });
}

describe("history", () => {
  // Mutants seen to fail, one each: list, message, parts, part, results, result, truncation and input not frozen.
  it("W9: is deeply frozen, and of plain objects and arrays without hidden properties", () =>
    withRichHistory(({ worker }) => {
      expect(findImpure(worker.history)).toEqual([]);
      expect(resultsIn(worker.history).filter(({ truncation }) => truncation)).toHaveLength(3);
    }));

  it("W9: is plain JSON: it comes back equal", () =>
    withRichHistory(({ worker }) => {
      expect(JSON.parse(JSON.stringify(worker.history))).toStrictEqual(worker.history);
    }));

  it("W9: holds no second copy of what was cut, nor does an event or a request", () =>
    withRichHistory(({ worker, events, provider }) => {
      const hidden = { depth: Infinity, showHidden: true, maxArrayLength: Infinity, maxStringLength: Infinity };
      expect(inspect(worker.history, hidden)).not.toContain(CANARY);
      expect(inspect(events, hidden)).not.toContain(CANARY);
      expect(provider.requests.map(({ bodyText }) => bodyText).join()).not.toContain(CANARY);
    }));

  // Mutant seen to fail: messages between the first and the newest are left out.
  it("W9: never changes a byte of what a provider has accepted", () =>
    withRichHistory(({ provider }) => {
      const sent = blocksSent(provider);
      expect(sent).toHaveLength(5);
      for (const [index, blocks] of sent.slice(1).entries()) {
        const before = sent[index] ?? [];
        expect(blocks.length).toBeGreaterThan(before.length);
        expect(blocks.slice(0, before.length)).toEqual(before);
      }
    }));

  // Mutant seen to fail: one array for all, which is pushed to.
  it("W9 W3: is only appended to, calls together with their results: a snapshot stays as it was, and the next one begins with the same messages", () => {
    const snapshots: (readonly Message[])[] = [];
    const watch = makeTool("Watch", () => "seen");
    const script = [answer(toolUse("Watch", {})), answer(toolUse("Watch", {})), answer(text("Done."))];
    return withWorker({ tools: [watch], script, onEvent: () => void take() }, async ({ worker }) => {
      take = () => snapshots.push(worker.history);
      await worker.run("Look");
      const last = worker.history;
      expect(last).toHaveLength(6);
      expect(new Set(snapshots.map(({ length }) => length))).toEqual(new Set([1, 3, 5, 6]));
      for (const messages of snapshots) {
        for (const [place, message] of messages.entries()) expect(message).toBe(last[place]);
      }
    });
  });
  let take: () => unknown = () => {};

  // Mutant seen to fail: the tool gets the input that history holds.
  it("W9: is not changed by a tool that changes its input, or its output later", () => {
    const output = { summary: "mine", content: { list: [1] } };
    const greedy = makeTool("Greedy", (input) => {
      Object.assign(Object(input), { added: true });
      return output;
    });
    const script = [answer(toolUse("Greedy", { asked: 1 })), answer(text("Done."))];
    return withWorker({ tools: [greedy], script }, async ({ worker, provider }) => {
      await worker.run("Look");
      output.content.list.push(2);
      output.summary = "changed";
      expect(worker.history[1]).toMatchObject({ parts: [{ input: { asked: 1 } }] });
      expect(JSON.stringify(provider.requests[1]?.body.messages)).not.toContain("added");
      expect(resultsIn(worker.history)).toMatchObject([{ summary: "mine", content: '{"list":[1]}' }]);
    });
  });
});

describe("the way in", () => {
  const result: ToolResult = { toolCallId: "a", toolName: "Glob", summary: "found", isError: false };
  const made = makeToolResult(result, { maxBytes: 1_000 });

  // Mutants seen to fail: no check when it is made, or none when it is appended to; `some` for `every`.
  it.each([
    ["one of the right shape", [result]],
    ["one beside one that was made", [made, result]],
    ["a copy of one that was made", [{ ...made }]],
    ["one that inherits from one that was made", [Object.create(made)]],
  ])("W1 W9: refuses a result that the chokepoint did not make: %s", (_name, results) => {
    const message: Message = { role: "tool", results };
    expect(() => new History([]).append(message)).toThrow("makeToolResult");
    expect(() => new History([message])).toThrow("makeToolResult");
  });

  it("W1: takes what it made", () => {
    const history = new History([{ role: "tool", results: [made] }]);
    history.append({ role: "tool", results: [made] });
    expect(history.messages).toHaveLength(2);
  });
});

/** Where a value is not frozen, or not as JSON would make it. */
function findImpure(value: unknown, place = "history"): string[] {
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0) ? [] : [`${place}: no JSON number`];
  if (typeof value === "string") return value.isWellFormed() ? [] : [`${place}: ill-formed`];
  if (typeof value === "boolean" || value === null) return [];
  if (typeof value !== "object") return [`${place}: ${typeof value}`];
  const found = Object.isFrozen(value) ? [] : [`${place}: not frozen`];
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) found.push(`${place}: no plain object`);
  for (const key of Reflect.ownKeys(value)) {
    if (Array.isArray(value) && key === "length") continue;
    const inner = `${place}.${String(key)}`;
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    if (typeof key === "symbol" || !descriptor?.enumerable) found.push(`${inner}: hidden`);
    if (descriptor?.get) found.push(`${inner}: a getter`);
    found.push(...findImpure(Reflect.get(value, key), inner));
  }
  return found;
}
