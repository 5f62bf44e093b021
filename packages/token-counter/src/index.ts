export type { UsageSample } from "./bytes-per-token.js";
export { createTokenEstimator, type RequestSize, type TokenEstimator } from "./create-token-estimator.js";
export { createUsageCounter, type UsageCounter } from "./create-usage-counter.js";
export type { UsageCounterState } from "./usage-counter-state.js";
export type { UsageDifference } from "./usage-difference.js";
