import { createWorker, type LlmClient, type WorkerOptions } from "@pod/llm-worker";
import { TASK } from "./incident.js";
import { runNaiveLoop } from "./naive-loop.js";
import { type RunRecord, recordRun } from "./record-run.js";
import { createFileTools } from "./tools/file-tools.js";

export interface ReplayOptions {
  /** The directory that the tools read. */
  readonly root: string;
  readonly toolOutput: NonNullable<WorkerOptions["toolOutput"]>;
}

export interface Replay {
  readonly limitTokensPerMinute: number;
  readonly runs: readonly [uncapped: RunRecord, capped: RunRecord];
  /** What the worker has to say about the limits. */
  readonly warnings: readonly string[];
}

/** Input tokens a minute that the organisation of the incident had. */
const LIMIT_TOKENS_PER_MINUTE = 30_000;

/** Replays the incident on real files: the same model, tools and provider, once without the cap and once with it. */
export async function replayIncident({ root, toolOutput }: ReplayOptions): Promise<Replay> {
  const tools = await createFileTools(root);
  const limitTokensPerMinute = LIMIT_TOKENS_PER_MINUTE;
  const warnings: string[] = [];
  const uncapped = await recordRun("uncapped", {
    limitTokensPerMinute,
    run: async (client, { sleep }) => ({
      outcome: "finished",
      detail: await runNaiveLoop(TASK, { client, tools, sleep }),
    }),
  });
  const capped = await recordRun("capped", {
    limitTokensPerMinute,
    run: (client, { sleep }) => runWorker({ client, tools, toolOutput, sleep }, warnings),
  });
  return { limitTokensPerMinute, runs: [uncapped, capped], warnings };
}

async function runWorker(options: WorkerOptions & { client: LlmClient }, warnings: string[]) {
  const worker = createWorker({
    ...options,
    onEvent: (event) => {
      if (event.type === "warning") warnings.push(event.message);
    },
  });
  const outcome = await worker.run(TASK);
  return { outcome: outcome.type, detail: outcome.type === "finished" ? outcome.text : outcome.type };
}
