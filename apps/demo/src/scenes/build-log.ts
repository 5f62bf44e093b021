import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Tool } from "@pod/llm-worker";
import { answer, text, toolResultTexts, toolUse } from "@pod/test-harness";
import { type OutputLimit, resolveLimit } from "@pod/tool-output-cap";
import { captureStream } from "@pod/tool-output-cap/stream";
import { endingOf, MAX_TURNS, runWorker } from "../replay.js";
import type { PlayedScene, Scene, SceneOptions, SceneRun } from "../scene.js";
import type { ScriptedModel } from "../simulated-stage.js";

const TASK = "Why does the build fail?";
const ERROR = /^error: .+$/m;

/** Writes 200 MB of a build that goes well, and then its end. In the words of a child process, since a log is one's output. */
const BUILD = `
const { once } = require("node:events");
const lines = (from, count) => Array.from({ length: count }, (_, at) => "[" + (from + at) + "] compiled src/module-" + (from + at) + ".ts in 12 ms\\n").join("");
(async () => {
  let bytes = 0;
  for (let line = 1; bytes < 200e6; line += 10000) {
    const chunk = lines(line, 10000);
    bytes += chunk.length;
    if (!process.stdout.write(chunk)) await once(process.stdout, "drain");
  }
  process.stdout.write("error: src/pay.ts:41:7: Property 'total' does not exist on type 'Cart'.\\nbuild failed\\n");
})();
`;

/**
 * A tool that streams a log of 200 MB, whose only error is in its last lines, and holds no more of it than its limit. Where
 * the tail is kept, the model finds the error in the first result; where the head is, it does not.
 */
export async function buildLogScene({ toolOutput }: SceneOptions): Promise<Scene> {
  const runWith = (keep: "tail" | "head"): SceneRun => ({
    name: `keep = "${keep}"`,
    play: async (client, sleep, warnings) => {
      const kept = {
        ...toolOutput,
        perTool: { ...toolOutput.perTool, Build: { ...resolveLimit(toolOutput, "Build"), keep } },
      };
      const options = {
        client,
        sleep,
        toolOutput: kept,
        maxTurns: MAX_TURNS,
        tools: [createBuild(resolveLimit(kept, "Build"))],
      };
      return endingOf(await runWorker(TASK, options, warnings));
    },
  });
  return { task: TASK, model: readLog, runs: [runWith("tail"), runWith("head")], findUnshown };
}

function createBuild(limit: OutputLimit): Tool {
  return {
    name: "Build",
    description: "Builds the project, and gives the log.",
    inputSchema: { type: "object", properties: {} },
    async execute(_input, { signal }) {
      const child = spawn(process.execPath, ["-e", BUILD], { stdio: ["ignore", "pipe", "inherit"], signal });
      const exit = once(child, "close");
      const { text: content, truncation } = await captureStream(child.stdout, limit);
      await exit;
      const bytes = truncation?.originalBytes ?? Buffer.byteLength(content);
      return { summary: `${Math.round(bytes / 1e6)} MB of log`, content };
    },
  };
}

const readLog: ScriptedModel = (request) => {
  const log = toolResultTexts(request).at(-1);
  if (log === undefined) return answer(text("I build it."), toolUse("Build", {}));
  const error = ERROR.exec(log)?.[0];
  return answer(text(error === undefined ? "The log that I see holds no error." : `The build fails: ${error}`));
};

function findUnshown({ runs }: Pick<PlayedScene, "runs">): string[] {
  const [tail, head] = runs;
  const claims: readonly [claim: string, isShown: boolean | undefined][] = [
    ["with the tail, the model finds the error in the first result", tail?.detail.includes("src/pay.ts:41:7")],
    ["with the head, it does not", head?.detail.includes("holds no error")],
    ["no request is refused", runs.every(({ requests }) => requests.every(({ status }) => status === 200))],
  ];
  return claims.filter(([, isShown]) => isShown !== true).map(([claim]) => claim);
}
