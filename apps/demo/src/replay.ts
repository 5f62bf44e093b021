import { createWorker, type LlmClient, type RunOutcome, type WorkerOptions } from "@pod/llm-worker";
import { TASK } from "./incident.js";
import { runNaiveLoop } from "./naive-loop.js";
import { LIMIT_TOKENS_PER_MINUTE, recordSimulatedRun } from "./record-simulated-run.js";
import type { Ending, RunRecord } from "./run-record.js";
import { createFileTools } from "./tools/file-tools.js";

export interface ReplayOptions {
  /** The directory that the tools read. */
  readonly root: string;
  readonly toolOutput: NonNullable<WorkerOptions["toolOutput"]>;
}

export interface Replay {
  /** The account's; null where it states none. */
  readonly limitTokensPerMinute: number | null;
  readonly runs: readonly [uncapped: RunRecord, capped: RunRecord];
  /** What the worker has to say about the limits. */
  readonly warnings: readonly string[];
}

/** More than either agent needs. */
const MAX_TURNS = 20;

/** Replays the incident on real files: the same model, tools and provider, once without the cap and once with it. */
export async function replayIncident({ root, toolOutput }: ReplayOptions): Promise<Replay> {
  const tools = await createFileTools(root);
  const maxTurns = MAX_TURNS;
  const warnings: string[] = [];
  const uncapped = await recordSimulatedRun("uncapped", async (client, sleep) =>
    endingOf(await runNaiveLoop(TASK, { client, tools, sleep, maxTurns })),
  );
  const capped = await recordSimulatedRun("capped", async (client, sleep) =>
    endingOf(await runWorker({ client, tools, toolOutput, sleep, maxTurns }, warnings)),
  );
  return { limitTokensPerMinute: LIMIT_TOKENS_PER_MINUTE, runs: [uncapped, capped], warnings };
}

function runWorker(options: WorkerOptions & { client: LlmClient }, warnings: string[]): Promise<RunOutcome> {
  const worker = createWorker({
    ...options,
    onEvent: (event) => {
      if (event.type === "warning") warnings.push(event.message);
    },
  });
  return worker.run(TASK);
}

function endingOf(outcome: RunOutcome): Ending {
  return { outcome: outcome.type, detail: outcome.type === "finished" ? outcome.text : outcome.type };
}
