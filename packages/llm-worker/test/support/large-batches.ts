import { countUtf8Bytes } from "@pod/test-harness/laws";
import type { ToolOutputLimits } from "@pod/tool-output-cap";
import { expect } from "vitest";
import { RequestTooLargeError, type Tool, type ToolResult } from "../../src/index.js";
import { renderToolResult } from "../../src/messages.js";
import { makeTool } from "./with-worker.js";

/** Caps nothing in the incident. */
export const UNCAPPED: ToolOutputLimits = { defaultMaxBytes: 2 ** 31 - 1, perTool: {} };

/** A `Glob` that finds dense paths of so many bytes, each call its own. */
export function globOf(bytes: number): Tool {
  let calls = 0;
  return makeTool("Glob", () => {
    const paths = `node_modules/.pnpm/some-package@1.${calls++}.0/dist/index.js\n`;
    return { summary: "1000 files", content: paths.repeat(Math.ceil(bytes / paths.length)).slice(0, bytes) };
  });
}

export function neverSleep(): Promise<void> {
  throw new Error("there was nothing to wait for");
}

/** UTF-8 bytes of what the model receives of the results. */
export function receivedBytes(results: readonly ToolResult[]): number {
  return results.reduce((bytes, result) => bytes + countUtf8Bytes(renderToolResult(result)), 0);
}

export function expectShrinking(sizes: readonly number[]): void {
  for (const [index, size] of sizes.entries()) {
    if (index > 0) expect(size).toBeLessThan(sizes[index - 1] ?? 0);
  }
}

/** What a run is rejected with. */
export async function tooLarge(run: Promise<unknown>): Promise<RequestTooLargeError> {
  const error = await run.then(
    (outcome) => new Error(`the run ended with ${JSON.stringify(outcome)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof RequestTooLargeError) return error;
  throw error;
}
