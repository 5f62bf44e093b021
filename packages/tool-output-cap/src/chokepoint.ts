export { matchTruncation } from "./match-truncation.js";
export { prependContent } from "./prepend-content.js";
export { ceilingOf, countTokens } from "./token-cap.js";
