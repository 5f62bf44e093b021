import { capText, type OutputLimit } from "@pod/tool-output-cap";
import { capCallToolResult, capJsonRpcError } from "@pod/tool-output-cap/mcp";
import type { CalledMethod } from "./call-log.js";
import { capPromptTexts, capResourceTexts } from "./cap-content-texts.js";
import { getMember, isJsonObject, type JsonObject, type JsonValue } from "./json-value.js";

/** What a tool that became a task says to the model at once. */
const IMMEDIATE_RESPONSE_KEY = "io.modelcontextprotocol/model-immediate-response";

/** The methods whose answers are capped. */
export type CappedMethod = Exclude<CalledMethod, "tools/list">;

/** Caps what a method was answered with. The same value comes back where it needs no cut. */
export function capResult(result: JsonValue, method: CappedMethod, limit: OutputLimit): JsonValue {
  // What no revision allows, but a client may show all the same.
  if (!isJsonObject(result)) return capCallToolResult(result, limit);
  switch (method) {
    case "tools/call":
    case "tasks/result":
      return capTaskTexts(capCallToolResult(result, limit), limit);
    case "tasks/get":
      return capTask(result, limit);
    case "resources/read":
      return capResourceTexts(result, limit);
    case "prompts/get":
      return capPromptTexts(result, limit);
  }
}

/** Caps a task with what it came to, which stands in it since 2026-07-28. */
export function capTask(task: JsonObject, limit: OutputLimit): JsonObject {
  const result = getMember(task, "result");
  const error = getMember(task, "error");
  return change(capTaskTexts(task, limit), {
    result: result === undefined ? undefined : capCallToolResult(result, limit),
    error: error === undefined ? undefined : capJsonRpcError(error, limit),
  });
}

/** Caps the texts about a task: of one that is asked for, and of one that a call has become. */
function capTaskTexts(result: JsonObject, limit: OutputLimit): JsonObject {
  const task = getMember(result, "task");
  const meta = getMember(result, "_meta");
  return change(capTextMember(result, "statusMessage", limit), {
    task: isJsonObject(task) ? capTextMember(task, "statusMessage", limit) : task,
    _meta: isJsonObject(meta) ? capTextMember(meta, IMMEDIATE_RESPONSE_KEY, limit) : meta,
  });
}

function capTextMember(object: JsonObject, key: string, limit: OutputLimit): JsonObject {
  const text = getMember(object, key);
  return typeof text === "string" ? change(object, { [key]: capText(text, limit).text }) : object;
}

/** The same object where no member changes; absent members stay absent. */
function change(object: JsonObject, changes: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const changed = Object.entries(changes).filter(([key, value]) => value !== getMember(object, key));
  if (changed.length === 0) return object;
  const copy: JsonObject = { ...object };
  for (const [key, value] of changed) if (value !== undefined) copy[key] = value;
  return copy;
}
