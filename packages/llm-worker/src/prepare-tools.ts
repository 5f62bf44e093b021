import { compileInputCheck, type InputCheck, stateInputSchema } from "./check-input.js";
import { copyText } from "./copy-text.js";
import { errorToText } from "./error-text.js";
import type { FaultList } from "./invalid-options-error.js";
import type { LlmRequest } from "./llm-client.js";
import type { Tool } from "./tool.js";

/** A tool that was checked once. */
export interface PreparedTool {
  readonly timeoutMs: number;
  readonly isIdempotent: boolean;
  readonly checkInput: InputCheck;
  readonly execute: Tool["execute"];
  /** What the model is told of it. Throws where its schema cannot be stated as JSON Schema. */
  readonly describe: () => LlmRequest["tools"][number];
}

/** Checks tools, by name. Adds what is wrong to `faults`. */
export function prepareTools(
  tools: readonly Tool[],
  defaultTimeoutMs: number,
  faults: FaultList,
): ReadonlyMap<string, PreparedTool> {
  const prepared = new Map<string, PreparedTool>();
  faults.expect(Array.isArray(tools), "tools", "an array of tools", tools);
  if (!Array.isArray(tools)) return prepared;
  for (const [index, tool] of tools.entries()) {
    const place = `tools[${index}]`;
    if (!checkTool(tool, place, faults)) continue;
    // Well-formed, since that is the name that the model will send back.
    const name = copyText(tool.name);
    faults.expect(!prepared.has(name), `${place}.name`, "a name that no other tool has", name);
    const ready = tryPrepare(tool, place, defaultTimeoutMs, faults);
    if (ready !== undefined) prepared.set(name, ready);
  }
  return prepared;
}

/** What the model is told of all tools. */
export function describeTools(tools: ReadonlyMap<string, PreparedTool>, faults: FaultList): LlmRequest["tools"] {
  const specs: LlmRequest["tools"][number][] = [];
  for (const [name, tool] of tools) {
    try {
      specs.push(tool.describe());
    } catch (error) {
      faults.add(`tools: the input schema of ${JSON.stringify(name)} has no JSON Schema: ${errorToText(error)}`);
    }
  }
  return Object.freeze(specs);
}

function checkTool(tool: Tool, place: string, faults: FaultList): boolean {
  const isObject = typeof tool === "object" && tool !== null;
  faults.expect(isObject, place, "a tool", tool);
  if (!isObject) return false;
  const checks = [
    ["name", "a string that is not empty", typeof tool.name === "string" && tool.name !== ""],
    ["description", "a string", typeof tool.description === "string"],
    ["inputSchema", "a Standard Schema or a JSON Schema", isSchemaObject(tool.inputSchema)],
    ["execute", "a function", typeof tool.execute === "function"],
  ] as const;
  for (const [field, expected, isMet] of checks) faults.expect(isMet, `${place}.${field}`, expected, tool[field]);
  if (tool.timeoutMs !== undefined) faults.expectCount(tool.timeoutMs, `${place}.timeoutMs`);
  const { idempotent = false }: { readonly idempotent?: unknown } = tool;
  faults.expect(typeof idempotent === "boolean", `${place}.idempotent`, "a boolean", idempotent);
  return checks.every(([, , isMet]) => isMet);
}

// Some libraries' schemas are functions.
function isSchemaObject(schema: unknown): boolean {
  if (typeof schema === "function") return "~standard" in schema;
  return typeof schema === "object" && schema !== null && !Array.isArray(schema);
}

function tryPrepare(tool: Tool, place: string, defaultTimeoutMs: number, faults: FaultList): PreparedTool | undefined {
  const { name, description, inputSchema, execute, timeoutMs = defaultTimeoutMs, idempotent = false } = tool;
  try {
    return {
      timeoutMs,
      isIdempotent: idempotent,
      checkInput: compileInputCheck(inputSchema),
      execute: execute.bind(tool),
      describe: () =>
        Object.freeze({
          name: copyText(name),
          description: copyText(description),
          inputSchema: stateInputSchema(inputSchema),
        }),
    };
  } catch (error) {
    faults.add(`${place}.inputSchema: expected a JSON Schema: ${errorToText(error)}`);
    return undefined;
  }
}
