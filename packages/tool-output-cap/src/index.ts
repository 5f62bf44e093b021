export { capText } from "./cap-text.js";
export { capToolResult } from "./cap-tool-result.js";
export { findUnknownTools, type UnknownTool } from "./find-unknown-tools.js";
export {
  DEFAULT_TOOL_OUTPUT_LIMITS,
  type Keep,
  type OutputLimit,
  resolveLimit,
  type ToolOutputLimits,
} from "./limits.js";
export { formatMarker } from "./marker.js";
export { matchTruncation } from "./match-truncation.js";
export { prependContent } from "./prepend-content.js";
export type { CappedText, Truncation } from "./truncation.js";
