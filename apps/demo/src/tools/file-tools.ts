import { realpath } from "node:fs/promises";
import type { Tool } from "@pod/llm-worker";
import type { z } from "zod";
import { createGlob } from "./glob.js";
import { createGrep } from "./grep.js";
import { createRead } from "./read.js";

export interface FileTool extends Tool {
  readonly inputSchema: z.ZodType;
}

/** `Glob`, `Read` and `Grep` over the real files of a directory. None of them reaches out of it. */
export async function createFileTools(directory: string): Promise<readonly FileTool[]> {
  const root = await realpath(directory);
  return [createGlob(root), createRead(root), createGrep(root)];
}
