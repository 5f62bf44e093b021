import type { OutputLimit } from "@pod/tool-output-cap";
import { getMember, isJsonObject, type JsonObject } from "./json-value.js";
import { loosenSchema } from "./loosen-schema.js";

/** Where a tool's limit stands in its `_meta`. */
const LIMIT_KEY = "pod/limit";

/** Tells clients each tool's limit, and lets capped results pass its output schema. Names and descriptions stay. */
export function annotateTools(result: JsonObject, limitOf: (toolName: string) => OutputLimit): JsonObject {
  const tools = getMember(result, "tools");
  if (!Array.isArray(tools)) return result;
  return { ...result, tools: tools.map((tool) => (isJsonObject(tool) ? annotateTool(tool, limitOf) : tool)) };
}

/** The names in one answer to `tools/list`, and whether more answers follow. */
export interface ToolPage {
  readonly names: readonly string[];
  readonly isLast: boolean;
}

export function readToolPage(result: JsonObject): ToolPage {
  const tools = getMember(result, "tools");
  const names = (Array.isArray(tools) ? tools : []).map((tool) =>
    isJsonObject(tool) ? getMember(tool, "name") : null,
  );
  const isLast = typeof getMember(result, "nextCursor") !== "string";
  return { names: names.filter((name) => typeof name === "string"), isLast };
}

function annotateTool(tool: JsonObject, limitOf: (toolName: string) => OutputLimit): JsonObject {
  const name = getMember(tool, "name");
  if (typeof name !== "string") return tool;
  const outputSchema = getMember(tool, "outputSchema");
  if (isJsonObject(outputSchema)) loosenSchema(outputSchema);
  const meta = getMember(tool, "_meta");
  return { ...tool, _meta: { ...(isJsonObject(meta) ? meta : {}), [LIMIT_KEY]: { ...limitOf(name) } } };
}
