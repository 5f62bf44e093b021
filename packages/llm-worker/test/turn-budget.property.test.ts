import { countUtf8Bytes } from "@pod/test-harness/laws";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { executeTools, renderToolResult, type ToolResult } from "../src/index.js";
import {
  arbitraryBatch,
  arbitraryBudget,
  fitNaively,
  limitsOf,
  type NaiveCall,
  type NaiveResult,
} from "./support/naive-batch.js";
import { toolOf } from "./support/tool-of.js";

const parameters = { numRuns: process.env.CI ? 1_000 : 100 };
const batchAndBudget = arbitraryBatch(64).chain((batch) => fc.tuple(fc.constant(batch), arbitraryBudget(batch)));

describe("any batch, with a budget", () => {
  // Mutants seen to fail: contents without a character are kept; long summaries stay; no spare bytes; the newline is not counted.
  it("W14: is what the naive rule makes of it", async () => {
    await check(batchAndBudget, async ([batch, budget]) => {
      const results = await execute(batch, budget);
      expect(results.map(toNaive)).toEqual(fitNaively(batch, budget));
    });
  });

  it("W14: is within the budget wherever the summaries fit it", async () => {
    await check(batchAndBudget, async ([batch, budget]) => {
      const results = await execute(batch, budget);
      const summaries = sum(results.map(({ summary }) => countUtf8Bytes(summary)));
      if (summaries <= budget) expect(sum(results.map(receivedBytes))).toBeLessThanOrEqual(budget);
      const own = results.filter(({ summaryIsDerived }) => summaryIsDerived === undefined);
      if (sum(own.map(({ summary }) => countUtf8Bytes(summary))) > budget) {
        expect(results.filter(({ content }) => content !== undefined)).toEqual([]);
      }
    });
  });

  it("W14: does not depend on the order in which the calls finish", async () => {
    const order = fc.array(fc.nat(), { minLength: 64, maxLength: 64 });
    await check(fc.tuple(batchAndBudget, order), async ([[batch, budget], order]) => {
      expect(await execute(batch, budget, order)).toEqual(await execute(batch, budget));
    });
  });

  it("W14: gives no call less where the budget is larger and moves the same summaries", async () => {
    const budgets = arbitraryBatch(64).chain((batch) =>
      fc.tuple(fc.constant(batch), arbitraryBudget(batch), arbitraryBudget(batch)),
    );
    await check(budgets, async ([batch, one, other]) => {
      const [lower, higher] = [await execute(batch, Math.min(one, other)), await execute(batch, Math.max(one, other))];
      if (lower.some(({ summary }, index) => summary !== higher[index]?.summary)) return;
      for (const [index, result] of lower.entries()) {
        expect(allocatedBytes(higher[index])).toBeGreaterThanOrEqual(allocatedBytes(result));
      }
    });
  });

  it("W14: of one call is a cap at the smaller of its limit and what summary and newline leave", async () => {
    const one = arbitraryBatch(1).chain((batch) => fc.tuple(fc.constant(batch), arbitraryBudget(batch)));
    await check(one, async ([batch, budget]) => {
      const [call] = batch;
      if (call === undefined) return;
      const left = budget - (call.summary === undefined ? 0 : countUtf8Bytes(call.summary) + 1);
      const [whole] = await execute(batch, undefined);
      // Both ends are cut in the middle of their room, so that what fits already need not be what the smaller limit gives (C5).
      const fits = call.limit.keep === "ends" && countUtf8Bytes(whole?.content ?? "") <= left;
      const maxBytes = fits ? call.limit.maxBytes : Math.min(call.limit.maxBytes, left);
      const [alone] = await execute([{ ...call, limit: { ...call.limit, maxBytes } }], undefined);
      const [result] = await execute(batch, budget);
      expect(result?.content).toBe(alone?.content);
      expect(result?.summary).toBe(alone?.summary);
    });
  });
});

function check<T>(values: fc.Arbitrary<T>, law: (value: T) => Promise<void>): Promise<void> {
  return fc.assert(fc.asyncProperty(values, law), parameters);
}

/** Each call finishes after as many turns of the event loop's microtasks as `order` says. */
async function execute(
  batch: readonly NaiveCall[],
  turnMaxBytes: number | undefined,
  order: readonly number[] = [],
): Promise<readonly ToolResult[]> {
  const tools = batch.map(({ summary, content }, index) =>
    toolOf(`tool-${index}`, async () => {
      for (let left = (order[index] ?? 0) % 50; left > 0; left--) await Promise.resolve();
      return summary === undefined ? content : { summary, content };
    }),
  );
  const calls = batch.map((_call, index) => ({ toolCallId: `call-${index}`, toolName: `tool-${index}`, input: {} }));
  return executeTools(calls, { tools, toolOutput: limitsOf(batch, turnMaxBytes), maxConcurrency: 64 });
}

function toNaive({ summary, content, truncation }: ToolResult): NaiveResult {
  return {
    summary,
    ...(content !== undefined && { content }),
    ...(truncation && { droppedBytes: truncation.droppedBytes }),
    ...(truncation?.reason && { reason: truncation.reason }),
  };
}

function allocatedBytes(result: ToolResult | undefined): number {
  if (result?.truncation?.reason === undefined) return Number.POSITIVE_INFINITY;
  return result.truncation.maxBytes;
}

function receivedBytes(result: ToolResult): number {
  return countUtf8Bytes(renderToolResult(result));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
