import { checkHistory } from "./check-history.js";
import { fieldsOf, itemsOf } from "./fields-of.js";
import type { MessagesRequest } from "./messages-request.js";

export type CheckedRequest =
  | { readonly type: "accepted"; readonly body: MessagesRequest }
  /** `problem` is worded as the real provider words it. */
  | { readonly type: "rejected"; readonly body: unknown; readonly problem: string };

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Decodes a body of `POST /v1/messages` and refuses what the real provider answers with 400. */
export function checkRequest(bytes: Uint8Array): CheckedRequest {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    return { type: "rejected", body: undefined, problem: `The request body is not valid JSON: ${String(error)}` };
  }
  const problem = checkWellFormed(body) ?? checkFields(body);
  return problem === undefined
    ? { type: "accepted", body: body as MessagesRequest }
    : { type: "rejected", body, problem };
}

/** JSON carries a lone surrogate as an escape, so it is seen only after decoding; keys count too. */
function checkWellFormed(value: unknown): string | undefined {
  if (typeof value === "string") {
    return value.isWellFormed() ? undefined : "The request body is not valid JSON: no low surrogate in string";
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const problem = checkWellFormed(key) ?? checkWellFormed(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkFields(body: unknown): string | undefined {
  const { model, max_tokens: maxTokens, system, messages, tools } = fieldsOf(body);
  if (typeof model !== "string") return "model: Field required";
  if (typeof maxTokens !== "number") return "max_tokens: Field required";
  if (!Number.isInteger(maxTokens) || maxTokens < 1) return "max_tokens: must be greater than or equal to 1";
  if (itemsOf(system)?.some((block) => String(fieldsOf(block).text).trim() === "")) {
    return "system: text content blocks must be non-empty";
  }
  return checkTools(tools) ?? checkHistory(messages);
}

function checkTools(tools: unknown = []): string | undefined {
  const list = itemsOf(tools)?.map(fieldsOf);
  if (list === undefined) return "tools: Input should be a valid list";
  for (const [place, { name, input_schema: schema }] of list.entries()) {
    if (typeof name !== "string" || !TOOL_NAME.test(name)) {
      return `tools.${place}.custom.name: String should match pattern '${TOOL_NAME.source}'`;
    }
    if (fieldsOf(schema).type !== "object") return `tools.${place}.custom.input_schema.type: Input should be 'object'`;
    if (list.findIndex((other) => other.name === name) !== place) return "tools: Tool names must be unique.";
  }
  return undefined;
}
