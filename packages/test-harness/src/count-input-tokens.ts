import { fieldsOf, itemsOf } from "./fields-of.js";

/** UTF-8 bytes per token in the incident: about 125 KB of paths were about 70,000 tokens. */
const INCIDENT_DENSITY = 1.8;

/**
 * Counts the input tokens of a decoded request. A simulation, not a tokenizer: the UTF-8 bytes of every string value, and of
 * the tool schemas as JSON, at the density of the incident, unless another is given, rounded up.
 */
export function countInputTokens(body: unknown, bytesPerToken: number = INCIDENT_DENSITY): number {
  return Math.ceil(sumTexts(body, (text) => Buffer.byteLength(text)) / bytesPerToken);
}

/** The sum over every string value of a decoded request, and over the tool schemas as JSON. */
export function sumTexts(body: unknown, measure: (text: string) => number): number {
  const { tools, ...rest } = fieldsOf(body);
  const ofTools = (itemsOf(tools) ?? []).map((tool) => {
    const { input_schema: schema = "", ...described } = fieldsOf(tool);
    return sumStrings(described, measure) + measure(JSON.stringify(schema));
  });
  return sumStrings(rest, measure) + sum(ofTools);
}

function sumStrings(value: unknown, measure: (text: string) => number): number {
  if (typeof value === "string") return measure(value);
  return sum(Object.values(fieldsOf(value)).map((member) => sumStrings(member, measure)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
