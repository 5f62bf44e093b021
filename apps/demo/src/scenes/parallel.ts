import { answer, text, toolUse } from "@pod/test-harness";
import { answerAsTheModel, TASK } from "../incident.js";
import { runNaiveLoop } from "../naive-loop.js";
import { endingOf, MAX_TURNS, runWorker } from "../replay.js";
import type { PlayedScene, Scene, SceneOptions } from "../scene.js";
import type { ScriptedModel } from "../simulated-stage.js";
import { createFileTools } from "../tools/file-tools.js";

/** UTF-8 bytes of a batch: at 1.8 bytes a token, a third of what the account has in a minute (docs/choosing-limits.md). */
const TURN_MAX_BYTES = 18_000;

/** Each of them finds a thousand files in a project with its `node_modules`. The last one is that of the incident. */
const PATTERNS = ["*.d.ts", "*.js", "*.json", "*.ts", "*.md", "*.map", "*.mjs", "*"];

/**
 * So many dense `Glob`s in one batch: each is within its limit, and their sum is too large to send. A loop that caps each
 * result dies as the one of the incident did; a budget keeps the batch small; and a worker without one recovers.
 */
export async function parallelScene(count: number, { root, toolOutput }: SceneOptions): Promise<Scene> {
  const tools = await createFileTools(root);
  const { turnMaxBytes = TURN_MAX_BYTES, ...eachAlone } = toolOutput;
  const budgeted = { ...eachAlone, turnMaxBytes };
  const maxTurns = MAX_TURNS;
  return {
    task: TASK,
    model: askForAll(count),
    runs: [
      {
        name: "each result capped",
        play: async (client, sleep) =>
          endingOf(await runNaiveLoop(TASK, { client, tools, sleep, maxTurns, toolOutput: eachAlone })),
      },
      {
        name: "with a turn budget",
        play: async (client, sleep, warnings) =>
          endingOf(await runWorker(TASK, { client, tools, sleep, maxTurns, toolOutput: budgeted }, warnings)),
      },
      {
        name: "without a budget, recovering",
        play: async (client, sleep, warnings) =>
          endingOf(await runWorker(TASK, { client, tools, sleep, maxTurns, toolOutput: eachAlone }, warnings)),
      },
    ],
    findUnshown,
  };
}

/** The model of the incident, but that its first look is at everything at once. */
function askForAll(count: number): ScriptedModel {
  // From the end, so that the last look is the one of the incident, however many there are.
  const patterns = Array.from(
    { length: count },
    (_, index) => PATTERNS.at(-1 - (index % PATTERNS.length)) ?? "*",
  ).reverse();
  return (request) =>
    request.messages.length === 1
      ? answer(text("First, what is here?"), ...patterns.map((pattern) => toolUse("Glob", { pattern })))
      : answerAsTheModel(request);
}

function findUnshown({ limitTokensPerMinute, runs }: Pick<PlayedScene, "limitTokensPerMinute" | "runs">): string[] {
  const [naive, budgeted, recovering] = runs;
  const limit = limitTokensPerMinute ?? Number.POSITIVE_INFINITY;
  const [, lost, next] = recovering?.requests ?? [];
  const claims: readonly [claim: string, isShown: boolean | undefined][] = [
    ["the loop that caps each result ends in 429", naive?.outcome === "rate-limited"],
    ["its last request alone exceeds the limit", (naive?.requests.at(-1)?.inputTokens ?? 0) > limit],
    ["the worker with a budget finishes", budgeted?.outcome === "finished"],
    ["none of its requests is refused", budgeted?.requests.every(({ status }) => status === 200)],
    ["each of them is under the limit", budgeted?.requests.every(({ inputTokens }) => inputTokens < limit)],
    ["the worker without a budget finishes too", recovering?.outcome === "finished"],
    ["its first request with the batch is lost", lost?.status === 429],
    ["and goes out again smaller", lost !== undefined && next !== undefined && next.bytes < lost.bytes],
  ];
  return claims.filter(([, isShown]) => isShown !== true).map(([claim]) => claim);
}
