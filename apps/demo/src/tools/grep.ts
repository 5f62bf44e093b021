import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { FileTool } from "./file-tools.js";
import { type FoundFile, listFiles } from "./list-files.js";

const Input = z.object({
  pattern: z.string().min(1).describe("A JavaScript regular expression, matched line by line."),
  files: z.string().min(1).default("**/*").describe("A glob of the files to look into, relative to the root."),
});

export function createGrep(root: string): FileTool {
  return {
    name: "Grep",
    description:
      "Finds the lines that match a regular expression, each as `path:line: text`. Binary files are left out.",
    inputSchema: Input,
    async execute(input, { signal }) {
      const { pattern, files } = Input.parse(input);
      const expression = new RegExp(pattern, "u");
      const lines: string[] = [];
      let filesWithHits = 0;
      for await (const file of listFiles(root, files, signal)) {
        const found = await matchingLines(file, expression, signal);
        if (found.length > 0) filesWithHits += 1;
        lines.push(...found);
      }
      return { summary: `${lines.length} lines in ${filesWithHits} files`, content: lines.join("\n") };
    },
  };
}

async function matchingLines(
  { path, realPath }: FoundFile,
  expression: RegExp,
  signal: AbortSignal,
): Promise<string[]> {
  const bytes = await readFile(realPath, { signal });
  if (bytes.includes(0)) return [];
  return bytes
    .toString("utf8")
    .split(/\r?\n/)
    .flatMap((line, index) => (expression.test(line) ? [`${path}:${index + 1}: ${line}`] : []));
}
