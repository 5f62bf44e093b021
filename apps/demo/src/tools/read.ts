import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import type { FileTool } from "./file-tools.js";
import { resolveInside } from "./resolve-inside.js";

const Input = z.object({ path: z.string().min(1).describe("A file, relative to the root.") });

export function createRead(root: string): FileTool {
  return {
    name: "Read",
    description: "Reads a whole file.",
    inputSchema: Input,
    async execute(input, { signal }) {
      const { path } = Input.parse(input);
      const realPath = await resolveInside(root, path);
      // A pipe or a device would be read for ever.
      if (!(await stat(realPath)).isFile()) throw new Error(`${path} is not a file. Glob lists files`);
      const bytes = await readFile(realPath, { signal });
      return { summary: path, content: bytes.includes(0) ? bytes : bytes.toString("utf8") };
    },
  };
}
