import { createWorker, type RunOutcome, type WorkerOptions } from "@pod/llm-worker";
import { runNaiveLoop } from "./naive-loop.js";
import type { Ending, RunRecord } from "./run-record.js";
import { simulatedStage } from "./simulated-stage.js";
import type { Stage } from "./stage.js";
import { createFileTools } from "./tools/file-tools.js";

export type ToolOutputLimits = NonNullable<WorkerOptions["toolOutput"]>;

export interface ReplayOptions {
  /** The directory that the tools read. */
  readonly root: string;
  readonly toolOutput: ToolOutputLimits;
  /** As the incident was, by default. */
  readonly stage?: Stage;
}

export interface Replay {
  /** The account's; null where it states none. */
  readonly limitTokensPerMinute: number | null;
  readonly runs: readonly [uncapped: RunRecord, capped: RunRecord];
  /** What the worker has to say about the limits. */
  readonly warnings: readonly string[];
}

/** More than either agent needs. */
export const MAX_TURNS = 20;

/** Replays the incident on real files: the same model, tools and provider, once without the cap and once with it. */
export async function replayIncident({ root, toolOutput, stage = simulatedStage }: ReplayOptions): Promise<Replay> {
  const { task } = stage;
  const tools = await createFileTools(root);
  const maxTurns = MAX_TURNS;
  const warnings: string[] = [];
  const uncapped = await stage.record("uncapped", async (client, sleep) =>
    endingOf(await runNaiveLoop(task, { client, tools, sleep, maxTurns })),
  );
  const capped = await stage.record("capped", async (client, sleep) =>
    endingOf(await runWorker(task, { client, tools, toolOutput, sleep, maxTurns }, warnings)),
  );
  return { limitTokensPerMinute: stage.limitTokensPerMinute, runs: [uncapped, capped], warnings };
}

/** One run of a worker, with what it has to say about the limits. */
export function runWorker(task: string, options: WorkerOptions, warnings: string[]): Promise<RunOutcome> {
  const worker = createWorker({
    ...options,
    onEvent: (event) => {
      if (event.type === "warning") warnings.push(event.message);
      return options.onEvent?.(event);
    },
  });
  return worker.run(task);
}

export function endingOf(outcome: RunOutcome): Ending {
  return { outcome: outcome.type, detail: outcome.type === "finished" ? outcome.text : outcome.type };
}
