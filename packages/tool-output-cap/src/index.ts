export { type CappedText, capText, type Truncation } from "./cap-text.js";
export { capToolResult } from "./cap-tool-result.js";
export { findUnknownTools, type UnknownTool } from "./find-unknown-tools.js";
export { DEFAULT_TOOL_OUTPUT_LIMITS, type OutputLimit, resolveLimit, type ToolOutputLimits } from "./limits.js";
export { formatMarker } from "./marker.js";
export { matchTruncation } from "./match-truncation.js";
