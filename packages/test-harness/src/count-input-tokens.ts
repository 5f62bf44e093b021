import { fieldsOf, itemsOf } from "./fields-of.js";

/** UTF-8 bytes per token in the incident: about 125 KB of paths were about 70,000 tokens. */
const INCIDENT_DENSITY = 1.8;

/**
 * Counts the input tokens of a decoded request. A simulation, not a tokenizer: the UTF-8 bytes of every string value, and of
 * the tool schemas as JSON, at the density of the incident, unless another is given, rounded up.
 */
export function countInputTokens(body: unknown, bytesPerToken: number = INCIDENT_DENSITY): number {
  const { tools, ...rest } = fieldsOf(body);
  const toolBytes = (itemsOf(tools) ?? []).map((tool) => {
    const { input_schema: schema = "", ...described } = fieldsOf(tool);
    return countBytes(described) + Buffer.byteLength(JSON.stringify(schema));
  });
  return Math.ceil((countBytes(rest) + sum(toolBytes)) / bytesPerToken);
}

function countBytes(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(value) : sum(Object.values(fieldsOf(value)).map(countBytes));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
