import { compileInputCheck, type InputCheck, stateInputSchema } from "./check-input.js";
import { copyText } from "./copy-text.js";
import { errorToText } from "./error-text.js";
import type { FaultList } from "./invalid-options-error.js";
import type { LlmRequest } from "./llm-client.js";
import type { Tool } from "./tool.js";

/** A tool that was checked once: what the model is told of it, and what it takes to run it. */
export interface PreparedTool {
  readonly spec: LlmRequest["tools"][number];
  readonly timeoutMs: number;
  readonly checkInput: InputCheck;
  readonly execute: Tool["execute"];
}

/** Checks tools and adds what is wrong to `faults`. */
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
    const ready = prepareTool(tool, place, defaultTimeoutMs, faults);
    if (ready === undefined) continue;
    faults.expect(!prepared.has(ready.spec.name), `${place}.name`, "a name that no other tool has", ready.spec.name);
    prepared.set(ready.spec.name, ready);
  }
  return prepared;
}

function prepareTool(tool: Tool, place: string, defaultTimeoutMs: number, faults: FaultList): PreparedTool | undefined {
  if (typeof tool !== "object" || tool === null) {
    faults.expect(false, place, "a tool", tool);
    return undefined;
  }
  const { name, description, inputSchema, timeoutMs = defaultTimeoutMs } = tool;
  const hasName = typeof name === "string" && name !== "";
  const hasDescription = typeof description === "string";
  faults.expect(hasName, `${place}.name`, "a string that is not empty", name);
  faults.expect(hasDescription, `${place}.description`, "a string", description);
  faults.expect(typeof tool.execute === "function", `${place}.execute`, "a function", tool.execute);
  faults.expectCount(timeoutMs, `${place}.timeoutMs`);
  if (typeof inputSchema !== "object" || inputSchema === null) {
    faults.expect(false, `${place}.inputSchema`, "a Standard Schema or a JSON Schema", inputSchema);
    return undefined;
  }
  if (!hasName || !hasDescription) return undefined;
  try {
    return {
      spec: Object.freeze({
        name: copyText(name),
        description: copyText(description),
        inputSchema: stateInputSchema(inputSchema),
      }),
      timeoutMs,
      checkInput: compileInputCheck(inputSchema),
      execute: (input, context) => tool.execute(input, context),
    };
  } catch (error) {
    faults.add(`${place}.inputSchema: cannot be stated as JSON Schema: ${errorToText(error)}`);
    return undefined;
  }
}
