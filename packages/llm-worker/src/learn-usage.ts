import { createTokenEstimator } from "@pod/token-counter";
import type { Usage } from "./llm-client.js";
import { type Message, renderToolResult, resultsOf } from "./messages.js";
import { sizeOf, type WorkerState } from "./worker-state.js";

/** Learns from what the provider reports of the request that it answered, before the answer is taken. */
export function learnUsage({ inputTokens, cachedInputTokens = 0 }: Usage, worker: WorkerState): void {
  worker.cachedInputTokens = cachedInputTokens;
  if (inputTokens === undefined) return;
  const { messages } = worker.history;
  const size = sizeOf(worker);
  worker.estimator.report(size, inputTokens, countToolBytes(messages.slice(worker.reportedCount)));
  worker.reportedCount = messages.length;
  worker.wary = createTokenEstimator();
  worker.wary.report(size, inputTokens);
}

/** UTF-8 bytes of what the model received of the results, by tool. */
function countToolBytes(messages: readonly Message[]): ReadonlyMap<string, number> {
  const toolBytes = new Map<string, number>();
  for (const result of messages.flatMap(resultsOf)) {
    const bytes = Buffer.byteLength(renderToolResult(result));
    toolBytes.set(result.toolName, (toolBytes.get(result.toolName) ?? 0) + bytes);
  }
  return toolBytes;
}
