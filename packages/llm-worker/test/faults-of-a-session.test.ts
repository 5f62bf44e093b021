import { answer, type Fault, refuse, type Script, text, toolUse } from "@pod/test-harness";
import { describe, expect, it } from "vitest";
import { eventsOfType, makeTool, resultsIn, statusesOf, withWorker } from "./support/with-worker.js";

const date = "Wed, 01 Jan 2025 00:00:00 GMT";
const blocks = [text("I look."), toolUse("Glob", { pattern: "*" })];
const FAULTS: readonly (readonly [string, Fault])[] = [
  ["a 429 with a date", refuse(429, { date, "retry-after": "Wed, 01 Jan 2025 00:00:20 GMT" })],
  ["a 529", refuse(529)],
  ["a 500", refuse(500)],
  ["a reset before the first byte", { type: "no-answer", ending: "reset" }],
  ["a reset in mid-stream", { type: "broken-stream", blocks, ending: "reset" }],
];

/** A model that looks once and is done; before it is done, the provider fails as long as `isDown` says so. */
function fallingOver(toFault: () => Fault | undefined): Script {
  return ({ messages }) => {
    if (!JSON.stringify(messages).includes('"tool_result"')) return answer(...blocks);
    return toFault() ?? answer(text("Done."));
  };
}

function countingGlob() {
  const calls: unknown[] = [];
  return { calls, glob: makeTool("Glob", (input) => `found ${calls.push(input)}`) };
}

describe("a session whose provider fails between a batch and the next answer", () => {
  // Mutants seen to fail: the time in all is not looked at; the batch is not kept when the run is rejected.
  it.each(FAULTS)(
    "W11 W16: ends within the bounds where %s stays, and is resumed without a second call",
    (_what, fault) => {
      let isDown = true;
      const { calls, glob } = countingGlob();
      const script = fallingOver(() => (isDown ? fault : undefined));
      return withWorker({ tools: [glob], script }, async ({ worker, provider, clock }) => {
        const startedAt = clock.now();
        await expect(worker.run("Look")).rejects.toMatchObject({ name: "LlmError" });
        expect(provider.requests.length).toBeLessThanOrEqual(1 + 5);
        expect(provider.requests.length).toBeGreaterThan(2);
        expect(clock.now() - startedAt).toBeLessThanOrEqual(120_000);
        expect(new Set(provider.requests.slice(1).map(({ bodyText }) => bodyText)).size).toBe(1);
        isDown = false;
        expect(await worker.resume()).toEqual({ type: "finished", text: "Done." });
        expect(provider.requests.at(-1)?.bodyText).toBe(provider.requests[1]?.bodyText);
        expect(calls).toHaveLength(1);
        expect(resultsIn(worker.history)).toMatchObject([{ summary: "found 1", isError: false }]);
      });
    },
  );

  it("W11: survives one of each in a row, on a clock of less than 120 s", () => {
    const left = FAULTS.map(([, fault]) => fault).slice(1);
    const { calls, glob } = countingGlob();
    const script = fallingOver(() => left.shift());
    return withWorker({ tools: [glob], script }, async ({ worker, provider, clock, events }) => {
      const startedAt = clock.now();
      expect(await worker.run("Look")).toEqual({ type: "finished", text: "Done." });
      expect(statusesOf(provider)).toEqual([200, 529, 500, 0, 200, 200]);
      expect(eventsOfType(events, "retry").map(({ error }) => error.status ?? error.kind)).toEqual([
        529,
        500,
        "network",
        "network",
      ]);
      expect(clock.now() - startedAt).toBeLessThanOrEqual(1_000 + 2_000 + 4_000 + 8_000);
      expect(calls).toHaveLength(1);
      expect(worker.history).toHaveLength(4);
    });
  });
});
