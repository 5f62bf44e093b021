export { matchTruncation } from "./match-truncation.js";
export { prependContent } from "./prepend-content.js";
export { countTokens } from "./token-cap.js";
