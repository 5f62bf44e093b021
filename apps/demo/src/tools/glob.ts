import { z } from "zod";
import type { FileTool } from "./file-tools.js";
import { listFiles } from "./list-files.js";

/** As in the incident: a limit on the number of hits, which is none on their size. */
const MAX_HITS = 1000;

const Input = z.object({
  pattern: z.string().min(1).describe("A glob, relative to the root. Without a slash it matches at every depth."),
});

export function createGlob(root: string): FileTool {
  return {
    name: "Glob",
    description: `Lists the files that match a pattern, one path a line, ${MAX_HITS.toLocaleString("en-US")} at most.`,
    inputSchema: Input,
    async execute(input, { signal }) {
      const { pattern } = Input.parse(input);
      const paths: string[] = [];
      for await (const { path } of listFiles(root, pattern, signal)) {
        if (paths.length === MAX_HITS)
          return { summary: `${count(MAX_HITS)} (first ${hits(MAX_HITS)})`, content: paths.join("\n") };
        paths.push(path);
      }
      return { summary: count(paths.length), content: paths.join("\n") };
    },
  };
}

function count(files: number): string {
  return files === 1 ? "1 file" : `${files.toLocaleString("en-US")} files`;
}

function hits(number: number): string {
  return `${number.toLocaleString("en-US")} hits`;
}
