export type { CallToolResultOptions, CallToolResultTruncation, ContentTruncation } from "./mcp/call-tool-result.js";
export { capCallToolResult } from "./mcp/cap-call-tool-result.js";
export { capJsonRpcError } from "./mcp/cap-json-rpc-error.js";
export { JsonNumber } from "./mcp/json-number.js";
