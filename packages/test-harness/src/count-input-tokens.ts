/** UTF-8 bytes per token in the incident: about 125 KB of paths were about 70,000 tokens. */
const BYTES_PER_TOKEN = 1.8;

/**
 * Counts the input tokens of a decoded request. A simulation, not a tokenizer: the UTF-8 bytes of every string value, and of
 * the tool schemas as JSON, at the density of the incident, rounded up.
 */
export function countInputTokens(body: unknown): number {
  return Math.ceil(countBytes(body) / BYTES_PER_TOKEN);
}

function countBytes(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  let bytes = 0;
  for (const [key, item] of Object.entries(value)) {
    bytes += key === "tools" && Array.isArray(item) ? countToolBytes(item) : countBytes(item);
  }
  return bytes;
}

function countToolBytes(tools: readonly unknown[]): number {
  let bytes = 0;
  for (const tool of tools) {
    const { input_schema: schema, ...described } = Object(tool);
    bytes += countBytes(described) + Buffer.byteLength(JSON.stringify(schema ?? ""));
  }
  return bytes;
}
