// A process of its own for check-input.test.ts, in which eval throws: prints, as JSON, what became of four calls.
import { executeTools, type Tool, type ToolInputSchema } from "@pod/llm-worker";
import { z } from "zod";

const tools: readonly Tool[] = [
  toolOf("Json", { type: "object", properties: { n: { type: "integer", multipleOf: 2 } }, required: ["n"] }),
  toolOf("Zod", z.object({ n: z.number().multipleOf(2) })),
];
const calls = [
  { toolCallId: "right", toolName: "Json", input: { n: 2 } },
  { toolCallId: "wrong", toolName: "Json", input: { n: 3 } },
  { toolCallId: "right-zod", toolName: "Zod", input: { n: 2 } },
  { toolCallId: "wrong-zod", toolName: "Zod", input: { n: 3 } },
];
const results = await executeTools(calls, { tools });
process.stdout.write(
  JSON.stringify({ evaluates: evaluates(), results: results.map(({ toolCallId, summary }) => [toolCallId, summary]) }),
);

function toolOf(name: string, inputSchema: ToolInputSchema): Tool {
  return { name, description: "Is done at once.", inputSchema, execute: () => "done" };
}

function evaluates(): boolean {
  try {
    return Reflect.construct(Function, ["return true"])();
  } catch {
    return false;
  }
}
