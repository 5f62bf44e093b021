import type { ToolResult, WorkerEvent } from "@pod/llm-worker";
import { parseManifest } from "@pod/manifest";
import { answer, text, toolResultTexts, toolUse } from "@pod/test-harness";
import { createBpeCounter } from "@pod/token-counter/bpe";
import { answerAsTheModel, TASK } from "../incident.js";
import { runNaiveLoop } from "../naive-loop.js";
import { endingOf, MAX_TURNS, runWorker, type ToolOutputLimits } from "../replay.js";
import type { PlayedScene, Scene, SceneOptions } from "../scene.js";
import type { ScriptedModel } from "../simulated-stage.js";
import { createFileTools } from "../tools/file-tools.js";

/** The older requirement's figure, in a manifest like any other. */
const MANIFEST = `
[worker.tool_output]
default_max_tokens = 5000
`;

/** What the model looks at before the incident's own query: results that are cut, and reports of the provider to learn from. */
const FIRST_LOOKS = ["*.d.ts", "*.js", "*.json"];

/** The provider reports once for each answer: before the fourth result, it has done so three times. */
const REPORTS = 3;

/**
 * The incident with a limit in tokens. The provider charges what a real tokenizer counts; the worker has none, and learns from
 * the provider's reports.
 */
export async function tokensScene({ root, toolOutput: given, manifestFile }: SceneOptions): Promise<Scene> {
  const tools = await createFileTools(root);
  const toolOutput = manifestFile === undefined ? parseManifest(MANIFEST).manifest.worker.toolOutput : given;
  const { count: countTokens } = createBpeCounter("o200k_base");
  const results: ToolResult[] = [];
  const countResults = () => results.map(({ content = "" }) => countTokens(content));
  return {
    task: TASK,
    model: lookAround,
    countTokens,
    facts: [`Real here: the count of tokens (o200k). ${describeLimit(toolOutput)}`],
    runs: [
      {
        name: "uncapped",
        play: async (client, sleep) =>
          endingOf(await runNaiveLoop(TASK, { client, tools, sleep, maxTurns: MAX_TURNS })),
      },
      {
        name: "capped in tokens",
        play: async (client, sleep, warnings) => {
          const onEvent = (event: WorkerEvent) => {
            if (event.type === "tool-result") results.push(event.result);
          };
          const options = { client, tools, toolOutput, sleep, maxTurns: MAX_TURNS, onEvent };
          const { outcome, detail } = endingOf(await runWorker(TASK, options, warnings));
          return { outcome, detail: `${detail} Real tokens of its results: ${countResults().join(", ")}.` };
        },
      },
    ],
    findUnshown: (played) => findUnshown(played, toolOutput, results, countResults()),
  };
}

function describeLimit({ defaultMaxTokens, defaultMaxBytes }: ToolOutputLimits): string {
  if (defaultMaxTokens === undefined) return `The default limit of the manifest is in bytes: ${defaultMaxBytes}.`;
  return `The limit: ${defaultMaxTokens} tokens. Before three reports of the provider every text counts at 1.8 bytes a token.`;
}

/** The model of the incident, but that it looks at some kinds of files first. */
const lookAround: ScriptedModel = (request) => {
  const pattern = [...FIRST_LOOKS, "*"][toolResultTexts(request).length];
  return pattern === undefined
    ? answerAsTheModel(request)
    : answer(text("What is here?"), toolUse("Glob", { pattern }));
};

function findUnshown(
  { limitTokensPerMinute, runs }: Pick<PlayedScene, "limitTokensPerMinute" | "runs">,
  { defaultMaxTokens = 0 }: ToolOutputLimits,
  results: readonly ToolResult[],
  realTokens: readonly number[],
): string[] {
  const [uncapped, capped] = runs;
  const limit = limitTokensPerMinute ?? Number.POSITIVE_INFINITY;
  const bytes = results.map(({ content = "" }) => Buffer.byteLength(content));
  const isCut = results.map(({ truncation }) => truncation?.tokens !== undefined);
  const claims: readonly [claim: string, isShown: boolean | undefined][] = [
    ["the uncapped run ends in 429", uncapped?.outcome === "rate-limited"],
    ["the run with a limit in tokens finishes", capped?.outcome === "finished"],
    ["none of its requests is refused", capped?.requests.every(({ status }) => status === 200)],
    ["each of them is under the limit", capped?.requests.every(({ inputTokens }) => inputTokens < limit)],
    [
      "results are cut before the worker has learned, and after",
      isCut[0] === true && isCut.lastIndexOf(true) >= REPORTS,
    ],
    [
      `after ${REPORTS} reports each result is within ${defaultMaxTokens} real tokens`,
      realTokens.slice(REPORTS).every((tokens) => tokens <= defaultMaxTokens),
    ],
    [
      "and the worker, which has learned, lets one of them have more bytes than any before",
      Math.max(...bytes.slice(REPORTS)) > Math.max(...bytes.slice(0, REPORTS)),
    ],
  ];
  return claims.filter(([, isShown]) => isShown !== true).map(([claim]) => claim);
}
