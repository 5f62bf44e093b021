import { createUsageCounter, type UsageCounter } from "@pod/token-counter";
import type { TokenCounter } from "@pod/tool-output-cap";
import type { WorkerEvent } from "./events.js";
import type { FaultList } from "./invalid-options-error.js";
import { isUsageCounter } from "./is-usage-counter.js";

/** Who counts for the limits, and who learns from the provider's reports: the same one, unless the host chose another kind. */
export interface ChosenCounters {
  readonly counter: TokenCounter;
  readonly usageCounter: UsageCounter;
}

/** The host's counter, or a usage counter. */
export function chooseCounter(
  chosen: TokenCounter | undefined,
  emit: (event: WorkerEvent) => void,
  faults: FaultList,
): ChosenCounters {
  const isCounter = chosen === undefined || typeof chosen?.count === "function";
  faults.expect(isCounter, "counter", "an object with count(text), which returns a number", chosen);
  const own = createUsageCounter();
  if (!chosen) return { counter: own, usageCounter: own };
  const tellFault = tellOnce(emit);
  if (!isUsageCounter(chosen)) return { counter: tellFaults(chosen, tellFault), usageCounter: own };
  const usageCounter = tellFaultsOfUsage(chosen, own, tellFault);
  return { counter: usageCounter, usageCounter };
}

/** That a counter fails is told once, without its words: they may hold the text. */
function tellOnce(emit: (event: WorkerEvent) => void): () => void {
  let isTold = false;
  return () => {
    if (!isTold) emit({ type: "counter-failed" });
    isTold = true;
  };
}

/** The same counter. What it throws is the cap's to catch, and what is no number, a promise say, to take for too much. */
function tellFaults(counter: TokenCounter, tellFault: () => void): TokenCounter {
  return {
    count: (text) => {
      try {
        const tokens = counter.count(text);
        if (typeof tokens !== "number" || Number.isNaN(tokens)) tellFault();
        return tokens;
      } catch (error) {
        tellFault();
        throw error;
      }
    },
  };
}

/**
 * The same counter. One that cannot learn, since it cannot save what it learns, say, has no run end for it, nor does one that
 * cannot say what is typical: then a new one says it.
 */
function tellFaultsOfUsage(counter: UsageCounter, substitute: UsageCounter, tellFault: () => void): UsageCounter {
  return {
    ...tellFaults(counter, tellFault),
    forTool: (toolName) => tellFaults({ count: (text) => counter.forTool(toolName).count(text) }, tellFault),
    learn: (difference) => {
      try {
        counter.learn(difference);
      } catch {
        tellFault();
      }
    },
    typicalBytesPerToken: () => {
      try {
        return counter.typicalBytesPerToken();
      } catch {
        tellFault();
        return substitute.typicalBytesPerToken();
      }
    },
    state: () => counter.state(),
  };
}
