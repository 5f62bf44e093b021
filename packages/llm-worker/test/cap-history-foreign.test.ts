import { answer, refuse, type Script, text } from "@pod/test-harness";
import { countUtf8Bytes } from "@pod/test-harness/laws";
import { describe, expect, it } from "vitest";
import { capHistory, InvalidOptionsError, type Message, type ToolResult } from "../src/index.js";
import { findJsonFaults } from "./support/json-faults.js";
import { resultsIn, statusesOf, withWorker } from "./support/with-worker.js";

const LARGE = "packages/some-package/src/index.ts\n".repeat(3_600);
const call = (toolCallId: string) => ({ type: "tool-call", toolCallId, toolName: "Glob", input: {} }) as const;
const result: ToolResult = { toolCallId: "a", toolName: "Glob", summary: "found", content: "src/a.ts", isError: false };
const asks: Message = { role: "user", text: "Look" };
const recorded = (given: ToolResult): readonly Message[] => [
  asks,
  { role: "assistant", parts: [call("a")] },
  { role: "tool", results: [given] },
];
const clean = capHistory(recorded(result));

describe("a poisoned history", () => {
  /** For ever: no wait and no account helps. */
  const refusesLarge: Script = (body) =>
    JSON.stringify(body).length > 54_000
      ? refuse(429, { "anthropic-ratelimit-input-tokens-limit": "30000" })
      : answer(text("On we go."));

  // Mutant seen to fail: results of a history that is handed in are not capped.
  it.each([
    ["whose last answer came before the batch", []],
    ["that was gone on with", [{ role: "user", text: "And?" }] as const],
    ["whose batch was once accepted", [{ role: "assistant", parts: [{ type: "text", text: "I looked." }] }] as const],
  ])("W1 W12: of a worker without the cap, %s, is gone on with after JSON", (_what, more: readonly Message[]) => {
    const poisoned = [...recorded({ ...result, content: LARGE }), ...more];
    const history: readonly Message[] = JSON.parse(JSON.stringify(poisoned));
    return withWorker({ history, script: refusesLarge }, async ({ worker, provider }) => {
      expect(await worker.run("Go on")).toEqual({ type: "finished", text: "On we go." });
      expect(await worker.run("And on")).toEqual({ type: "finished", text: "On we go." });
      expect(statusesOf(provider)).toEqual([200, 200]);
      expect(countUtf8Bytes(resultsIn(worker.history)[0]?.content ?? "")).toBe(16_384);
    });
  });
});

describe("what comes along with a foreign object", () => {
  // Mutant seen to fail: a message is spread.
  it("W9: nothing but its known fields: no prototype, hidden field, symbol, toJSON or class", () => {
    class Recorded extends Array<unknown> {
      extra = LARGE;
      toJSON() {
        return LARGE;
      }
    }
    const hidden = { value: LARGE, enumerable: false };
    const foreign = (fields: object) =>
      Object.defineProperties(Object.assign(Object.create({ inherited: LARGE }), fields, { [Symbol("s")]: LARGE }), {
        hidden,
        toJSON: { value: () => LARGE, enumerable: false },
      });
    const history = Recorded.from([
      foreign(asks),
      foreign({ role: "assistant", parts: Recorded.from([foreign({ ...call("a"), providerMetadata: undefined })]) }),
      foreign({ role: "tool", results: Recorded.from([foreign({ ...result, extra: LARGE })]) }),
    ]);
    const capped = capHistory(history as readonly Message[]);
    expect(capped).toStrictEqual(clean);
    expect(findJsonFaults(capped)).toEqual([]);
  });

  // Mutant seen to fail: what inherits from a message of ours is taken for ours.
  it("W9: a proxy of what was returned is foreign, and so is what inherits from it", () => {
    const lying = {
      get: (target: object, key: PropertyKey) => (key === "results" ? [forged] : Reflect.get(target, key)),
    };
    const [, , tool] = clean;
    const [ours] = resultsIn(clean);
    if (ours === undefined || tool === undefined) throw new Error("no result");
    const forged: ToolResult = Object.create(ours, { content: { value: LARGE, enumerable: true } });
    const inheriting: Message = Object.create(tool, { results: { value: [forged], enumerable: true } });
    // A proxy of a frozen message could not lie, but one that stands for it can.
    const proxied: Message = new Proxy<Message>({ ...tool }, lying);
    for (const message of [inheriting, proxied, { ...tool, results: [forged] }]) {
      const [capped] = resultsIn(capHistory([...clean.slice(0, 2), message]));
      expect(countUtf8Bytes(capped?.content ?? "")).toBe(16_384);
    }
    const [user] = clean;
    const saying: Message = Object.create(user ?? null, { text: { value: "Look again", writable: true } });
    const capped = capHistory([saying]);
    expect(findJsonFaults(capped)).toEqual([]);
    expect(capped).toEqual([{ role: "user", text: "Look again" }]);
  });

  it("W9: no later change: neither of a message, nor of a list, a record or an input", () => {
    const truncation = { maxBytes: 200, originalBytes: 1_000, keptBytes: 149, droppedBytes: 851 };
    const content = `${"a".repeat(149)}\n\n[truncated: 851 bytes dropped, refine your query]`;
    const given = { ...result, content, truncation };
    const input = { pattern: ["*"] };
    const results = [given];
    const parts = [{ ...call("a"), input }];
    const history: Message[] = [asks, { role: "assistant", parts }, { role: "tool", results }];
    const capped = capHistory(history);
    const before = JSON.stringify(capped);
    expect(before).toContain('"originalBytes":1000');
    given.content = LARGE;
    truncation.droppedBytes = 0;
    input.pattern.push(LARGE);
    results.push({ ...given });
    parts.push({ ...call("b"), input });
    history.push(asks);
    expect(JSON.stringify(capped)).toBe(before);
  });

  it("W9: no field of a record but its figures", () => {
    const truncation = {
      maxBytes: 0,
      originalBytes: 9,
      keptBytes: 0,
      droppedBytes: 9,
      reason: "turn-budget",
      text: LARGE,
    } as const;
    const removed = { toolCallId: "a", toolName: "Glob", summary: "found", isError: false, truncation };
    const [capped] = resultsIn(capHistory(recorded(removed)));
    expect(capped?.truncation).toStrictEqual({
      maxBytes: 0,
      originalBytes: 9,
      keptBytes: 0,
      droppedBytes: 9,
      reason: "turn-budget",
    });
  });

  // Mutant seen to fail: lists are read through their own methods.
  it("W9: no method of a list", () => {
    const lying = <T>(items: readonly T[]): readonly T[] =>
      Object.assign([...items], {
        entries: () => [[0, asks]],
        map: () => [],
        [Symbol.iterator]: function* () {
          for (;;) yield LARGE;
        },
      });
    const [, assistant, tool] = recorded(result);
    const history = [
      asks,
      { ...assistant, parts: lying([call("a")]) },
      { ...tool, results: lying([result]) },
    ] as readonly Message[];
    expect(capHistory(lying(history))).toStrictEqual(clean);
  });

  it("W9: an item that throws is a fault with its place", () => {
    const history = Object.defineProperty([asks, asks], 1, {
      enumerable: true,
      get: () => {
        throw new Error("not to be read");
      },
    });
    const cap = () => capHistory(history);
    expect(cap).toThrow(InvalidOptionsError);
    expect(cap).toThrow("history[1]: Error: not to be read");
  });

  it("W9: what stands in two places stands there twice, and JSON of any key is data", () => {
    const shared: Record<string, unknown> = JSON.parse(
      '{ "$ref": "#/parts/0", "__proto__": { "content": "x" }, "$id": 1 }',
    );
    shared.self = shared;
    const parts = ["a", "b"].map((id) => ({ ...call(id), input: shared }));
    const capped = capHistory([asks, { role: "assistant", parts }]);
    const copied = { $ref: "#/parts/0", $id: 1, self: "[circular]" };
    const inputs = capped
      .flatMap((message) => (message.role === "assistant" ? message.parts : []))
      .map((part) => (part.type === "tool-call" ? part.input : undefined));
    expect(inputs).toHaveLength(2);
    expect(inputs[0]).not.toBe(inputs[1]);
    for (const input of inputs) {
      expect(input).toMatchObject(copied);
      expect(Object.keys(Object(input))).toEqual(["$ref", "__proto__", "$id", "self"]);
    }
    expect(capHistory(JSON.parse(JSON.stringify(capped)))).toStrictEqual(capped);
    expect(findJsonFaults(capped)).toEqual([]);
  });
});
