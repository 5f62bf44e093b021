import type { UsageCounter } from "@pod/token-counter";

/** Whether a counter learns from usage and knows tools apart. By its functions: it may be of another copy of the package. */
export function isUsageCounter(counter: object): counter is UsageCounter {
  const { forTool, learn, typicalBytesPerToken } = counter as Partial<UsageCounter>;
  return [forTool, learn, typicalBytesPerToken].every((each) => typeof each === "function");
}
