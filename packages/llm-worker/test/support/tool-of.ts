import type { Tool } from "@pod/llm-worker";

/** A tool that takes any object. */
export function toolOf(name: string, execute: Tool["execute"], more: Partial<Tool> = {}): Tool {
  return { name, description: `The tool ${name}.`, inputSchema: { type: "object" }, execute, ...more };
}
