import { JsonNumber } from "@pod/tool-output-cap/mcp";
import type { JsonObject, JsonValue } from "./json-value.js";

/** Writes JSON without spaces and without recursion; numbers that kept their digits have them. */
export function printJson(value: JsonValue): string {
  const parts: string[] = [];
  // What is still to be written, last first: texts as they are, values as JSON.
  const rest: (Text | Value)[] = [{ value }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if ("text" in next) parts.push(next.text);
    else if (Array.isArray(next.value)) pushArray(rest, next.value);
    else if (next.value instanceof JsonNumber) parts.push(next.value.source);
    else if (typeof next.value === "object" && next.value !== null) pushObject(rest, next.value);
    else parts.push(JSON.stringify(next.value));
  }
  return parts.join("");
}

interface Text {
  readonly text: string;
}

interface Value {
  readonly value: JsonValue;
}

function pushArray(rest: (Text | Value)[], array: readonly JsonValue[]): void {
  rest.push({ text: "]" });
  for (let index = array.length - 1; index >= 0; index--) {
    rest.push({ value: array[index] ?? null });
    if (index > 0) rest.push({ text: "," });
  }
  rest.push({ text: "[" });
}

function pushObject(rest: (Text | Value)[], object: JsonObject): void {
  rest.push({ text: "}" });
  const entries = Object.entries(object);
  for (let index = entries.length - 1; index >= 0; index--) {
    const [key, value] = entries[index] ?? ["", null];
    rest.push({ value }, { text: `${index > 0 ? "," : ""}${JSON.stringify(key)}:` });
  }
  rest.push({ text: "{" });
}
