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
  faults.expect(chosen === undefined || typeof chosen?.count === "function", "counter.count", "a function", chosen);
  const usageCounter = chosen && isUsageCounter(chosen) ? chosen : createUsageCounter();
  if (chosen === undefined || chosen === usageCounter) return { counter: usageCounter, usageCounter };
  return { counter: tellFaults(chosen, emit), usageCounter };
}

/** The same counter. That it throws is told once, without its words: they may hold the text. */
function tellFaults(counter: TokenCounter, emit: (event: WorkerEvent) => void): TokenCounter {
  let isTold = false;
  return {
    count: (text) => {
      try {
        return counter.count(text);
      } catch (error) {
        if (!isTold) emit({ type: "counter-failed" });
        isTold = true;
        throw error;
      }
    },
  };
}
