export { capText } from "./cap-text.js";
export { capToolResult } from "./cap-tool-result.js";
export { findUnknownTools, type UnknownTool } from "./find-unknown-tools.js";
export { DEFAULT_TOOL_OUTPUT_LIMITS, type Keep, type OutputLimit, type ToolOutputLimits } from "./limits.js";
export { formatMarker } from "./marker.js";
export { resolveLimit } from "./resolve-limit.js";
export type { CapOptions, TokenCounter } from "./token-cap.js";
export type { CappedText, TokenTruncation, Truncation } from "./truncation.js";
