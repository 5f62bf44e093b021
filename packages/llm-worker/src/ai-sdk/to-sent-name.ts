const MAX_UNITS = 64;
const NOT_TAKEN = /[^A-Za-z0-9_-]/g;

/**
 * The name under which a call of history is sent. A model may invent a name that no provider takes back, and the history
 * would be refused for ever: so each character that some provider refuses becomes `_`, and 64 are left.
 */
export function toSentName(toolName: string): string {
  const name = toolName.slice(0, MAX_UNITS).replace(NOT_TAKEN, "_") || "unnamed";
  // The AI SDK's Anthropic client looks names up in a plain object, takes a function from there for a toolset, and leaves
  // the call out: the provider then refuses its result for ever. So `constructor` and its like get a tail.
  return name in Object.prototype ? `${name}_` : name;
}
